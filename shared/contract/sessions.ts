import * as z from 'zod';
import { session, uid } from '../model.ts';
import { group, throttles } from './route.ts';

export const sessions = group('sessions', {
  create: {
    method: 'POST',
    path: '/sessions',
    summary: "Start a session for a user whom the project's back end has authenticated.",
    auth: ['project'],
    body: z.strictObject({ uid }),
    response: session,
    statuses: [201],
    errors: ['not_found'],
    throttle: throttles.write,
  },
  refresh: {
    method: 'POST',
    path: '/sessions/token/refresh',
    summary: 'Renew a session with its refresh token.',
    auth: ['refresh'],
    body: z.strictObject({
      accessToken: z
        .string()
        .min(1)
        .max(4096)
        .meta({ description: 'The current access token; it may have expired.' }),
    }),
    response: session,
    statuses: [200],
    errors: ['token_expired', 'refresh_token_reused'],
    throttle: throttles.write,
  },
});
