import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { createCookieHandler, forNode } from '../../client/cookies.ts';
import { cors } from '../../lib/cors.ts';
import { factorProject } from '../support/factors.ts';
import { startStandIn } from '../support/provider-stand-in.ts';
import { setSecret } from '../support/providers.ts';
import { serve } from '../support/serve.ts';
import { startWorld } from '../support/world.ts';
import { useBrowser } from './browser.ts';

/** Sign-in with an identity provider where the application's backend keeps the session in a cookie. */
const world = await startWorld({ cors: { ...cors, origins: ['*'] } });
const own = await startStandIn('oidc');
const ours = await factorProject(world);
const { project_id: projectId } = ours;
const auth = forNode(createCookieHandler({ url: world.url, projectId, secure: false }));
let script = '';
const origin = await serve((request, response) => {
  if (request.url?.startsWith('/auth/')) return void auth(request, response);
  const isScript = request.url === '/page.js';
  response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
  response.end(
    isScript ? script : '<link rel="icon" href="data:,"><script src="/page.js"></script>',
  );
});
const returnUrl = `${origin}/signed-in`;
const { outputFiles } = await build({
  stdin: {
    contents: `
      import { createCookieAuth } from './client/cookie-session.ts';
      import { createProviders } from './client/providers.ts';
      export const auth = createCookieAuth({ url: '${world.url}' });
      export const providers = createProviders({
        ...{ url: '${world.url}', projectId: '${projectId}', returnUrl: '${returnUrl}', auth },
      });`,
    resolveDir: join(import.meta.dirname, '../..'),
    loader: 'ts',
  },
  ...{ bundle: true, format: 'iife', globalName: 'app', write: false, logLevel: 'error' },
});
script = outputFiles?.[0]?.text ?? '';
await world.operate({
  ...{ action: 'update', project_id: projectId },
  ...{ sign_in_providers: { own: own.settings }, return_urls: [returnUrl] },
});
await setSecret(world, ours, own);
const { open } = useBrowser();

test('a user signs in, scripts can read no refresh token, and a reload keeps the session', async () => {
  const email = 'grace@cookie.example.com';
  own.is({ sub: 'grace', email, email_verified: true });
  const opened = await open();
  const { page, context } = opened;
  // The browser reports the 401 of a signed-out visitor.
  opened.allowed.push('401');
  await page.goto(origin);
  await page.evaluate("void app.providers.signIn('own')");
  await page.waitForURL(/\/signed-in\?.*code=/);
  expect(await page.evaluate('app.providers.finish().then(({ user }) => user.email)')).toBe(email);
  expect(page.url()).toBe(returnUrl);
  const readable = 'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])';
  expect(await page.evaluate(readable)).toBe(`["",{},{"providers ${projectId}":"[]"}]`);
  const session = (await context.cookies()).find(({ name }) => name === 'session');
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  await page.reload();
  expect(await page.evaluate('app.auth.ready.then(() => app.auth.session.user.email)')).toBe(email);
});
