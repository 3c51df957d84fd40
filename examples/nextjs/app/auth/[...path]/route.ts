import { createCookieHandler } from 'identity-workspace-client/cookies';
import { service } from '../../../service';

const handler = createCookieHandler({
  ...service,
  // Next.js may call itself localhost in the URL of a request, whatever the browser calls it.
  allowedOrigins: [process.env.ORIGIN ?? 'http://localhost:3001'],
});

export { handler as GET, handler as POST };
