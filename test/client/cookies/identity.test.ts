import { afterAll, expect, test } from 'vitest';
import { createCookieAuth } from '../../../client/cookie-session.ts';
import { openBrowser, startBackend } from '../../support/cookie-browser.ts';
import { newPerson, settingsOf } from '../../support/identities.ts';
import { startOpenidProvider } from '../../support/openid-provider.ts';
import { signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const google = await startOpenidProvider();
afterAll(() => google.close());
const { project_id } = await signInProject(world, {
  identity_providers: { google: settingsOf(google) },
});
const url = await startBackend({ url: world.url, projectId: project_id });

test('an ID token of a provider signs in, with the session in the cookie', async () => {
  const browser = openBrowser(url);
  const auth = createCookieAuth({ fetch: browser.browse, tabs: false });
  const email = 'ada@gmail.com';
  const id_token = await google.idToken(newPerson({ email }));
  const { user_created } = await auth.signIn.identity({ provider: 'google', id_token });
  expect([user_created, auth.session?.user.email]).toEqual([true, email]);
  expect(browser.cookies.get('session')).toMatch(/^rt_/);
  const token = await auth.getAccessToken();
  expect((await world.call('GET', '/users/me', `Bearer ${token}`)).status).toBe(200);
});
