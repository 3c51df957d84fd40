import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { createCookieHandler, forNode } from 'identity-workspace-client/cookies';
import { createBackend, forExpress, verifyWebhook } from 'identity-workspace-client/server';

const {
  SERVICE_URL: url = 'http://localhost:3000',
  PROJECT_ID: projectId = 'demo',
  PORT = '8080',
  WEBHOOK_SECRET: secret = '',
} = process.env;
/** It verifies tokens offline, which needs no secret of the project. */
const backend = createBackend({ url, projectId });
/** By the user's id, which never changes; a database in your product. */
const notes = new Map<string, string[]>();

const app = express();
app.use((_request, response, next) => {
  response.setHeader('content-security-policy', "default-src 'self'; frame-ancestors 'none'");
  next();
});

// The session of the page, in a cookie. `secure: false` is for http://localhost alone.
app.use('/auth', forNode(createCookieHandler({ url, projectId, secure: false })));

// What a user may ask for. The token is in the Authorization header, never in a cookie, so other sites can send none.
app.use('/api', forExpress(backend), express.json());
app.get('/api/notes', (_request, response) => {
  response.json(notes.get(response.locals['claims'].sub) ?? []);
});
app.post('/api/notes', (request, response) => {
  const { sub } = response.locals['claims'];
  notes.set(sub, [...(notes.get(sub) ?? []), String(request.body.text)]);
  response.sendStatus(204);
});

// The signature covers the bytes, so nothing may parse them before. In your product, store the event under its id
// before you answer: it may come twice.
app.post('/webhooks', express.raw({ type: 'application/json' }), async (request, response) => {
  const { headers, body } = request;
  const event = await verifyWebhook({ secret, headers, body }).catch(() => undefined);
  if (event?.type === 'user.deleted') notes.delete(event.data.user_id ?? '');
  response.sendStatus(event ? 204 : 401);
});

// The page imports the package's files as they are; a bundler would do as well.
const entry = fileURLToPath(import.meta.resolve('identity-workspace-client/cookie-session'));
app.use('/client', express.static(dirname(entry)));
app.use(express.static(`${import.meta.dirname}/public`));

const server = app.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`http://localhost:${address?.port}`);
});
