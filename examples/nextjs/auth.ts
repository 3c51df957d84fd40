import 'server-only';
import { createCookieHandler } from 'identity-workspace-client/cookies';

/** Where browsers find this app. */
export const origin = process.env.ORIGIN ?? 'http://localhost:3001';

/** The service, and how its session is kept in the cookie. */
export const service = {
  url: process.env.SERVICE_URL ?? 'http://localhost:3000',
  projectId: process.env.PROJECT_ID ?? 'demo',
  // Over plain HTTP for http://localhost alone.
  secure: process.env.INSECURE_COOKIE !== '1',
};

export const auth = createCookieHandler({ ...service, allowedOrigins: [origin] });
