/** @module-tag alone */
import { expect, test } from 'vitest';
import { createCookieHandler, forNode, readAccessToken } from '../../client/cookies.ts';
import { createBackend } from '../../client/server.ts';
import { serve } from '../support/serve.ts';
import { expectAccessible, useBrowser } from './browser.ts';
import { allow, follow, heading, says, startHostedStage } from './hosted-stage.ts';

/**
 * An application without a script, whose server signs people in by the hosted pages of another site and keeps the
 * session in a cookie: each page shows whom the server sees.
 */
type Auth = ReturnType<typeof forNode>;
let auth: Auth = () => Promise.resolve();
let see: (request: Parameters<typeof readAccessToken>[0]) => Promise<string> = () =>
  Promise.resolve('');
const url = await serve((request, response) => {
  if (request.url?.startsWith('/auth/')) return void auth(request, response);
  void see(request).then((text) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><title>Notes</title><main><h1>Notes</h1><p>${text} at ${request.url}</p>
<a href="/auth/sign-in?return_to=${request.url}">Sign in</a> <a href="/auth/sign-out">Sign out</a></main></html>`);
  });
});
// Another site than the service's, which is at an address.
const origin = url.replace('127.0.0.1', 'localhost');
const redirectUri = `${origin}/auth/callback`;

const { world, people, project_id, signIn } = await startHostedStage();
await world.operate({
  ...{ action: 'create-client', project_id, client: 'web', client_name: 'Notes' },
  ...{ redirect_uris: [redirectUri], post_logout_redirect_uris: [`${origin}/`] },
});
const service = { url: world.url, projectId: project_id, secure: false };
const hostedPages = {
  ...{ clientId: `${project_id}.web`, redirectUri, postLogoutRedirectUri: `${origin}/` },
};
auth = forNode(createCookieHandler({ ...service, hostedPages }));
const backend = createBackend(service);
see = async (request) => {
  const token = readAccessToken(request, service);
  return token ? `Signed in as ${(await backend.verify(token)).email}` : 'Nobody is signed in';
};
const { open } = useBrowser();

test('a user signs in and out by links, and the next page of the server shows it', async () => {
  const email = 'ada@example.com';
  await people.signUp(email);
  const opened = await open({ width: 390 });
  const { page, context } = opened;
  await page.goto(`${origin}/notes?of=today`);
  await says(opened, 'Nobody is signed in at /notes?of=today');
  await follow(opened, 'Sign in');
  await heading(opened, 'Sign in');
  expect(new URL(page.url()).origin).toBe(world.url);
  await signIn(opened, email);
  // The server sees its cookie, which no navigation of another site brings.
  await says(opened, `Signed in as ${email} at /notes?of=today`);
  allow(opened, '401');
  const cookies = await context.cookies(origin);
  expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual(
    expect.arrayContaining([
      ['session', true, 'Strict'],
      ['session-id-token', true, 'Strict'],
    ]),
  );
  // A step back leads to the page before, and not to the code once more.
  await page.goBack();
  await page.goForward();
  await says(opened, `Signed in as ${email}`);
  await follow(opened, 'Sign out');
  await says(opened, 'Nobody is signed in at /');
  expect(await context.cookies()).toEqual([]);
});

test('a response in a browser without the request starts a second one, which signs in without asking', async () => {
  const email = 'bob@example.com';
  await people.signUp(email);
  const opened = await open({ dark: true });
  const { page, context } = opened;
  await page.goto(`${origin}/notes`);
  await follow(opened, 'Sign in');
  await heading(opened, 'Sign in');
  await context.clearCookies({ name: 'session-sign-ins' });
  await signIn(opened, email);
  await says(opened, `Signed in as ${email} at /`);
  allow(opened, '401');
  expect(page.url()).toBe(`${origin}/`);
});

test('the page between the service and the application is accessible', async () => {
  const opened = await open();
  const { page } = opened;
  const handler = createCookieHandler({ ...service, hostedPages });
  const refused = new Request(`${redirectUri}?error=x&state=again.${'x'.repeat(43)}`);
  const html = await (await handler(refused)).text();
  await page.setContent(html.replace(/<meta http-equiv="refresh"[^>]*>/, ''));
  // In light mode: axe takes the dark canvas of a browser for a white one.
  await expectAccessible(opened);
});
