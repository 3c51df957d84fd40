import { afterAll, expect, test } from 'vitest';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { expectWellMade, useBrowser } from './browser.ts';
import { allow, field, heading, press, says, settled, startHostedStage } from './hosted-stage.ts';

/** Sign-in at an identity provider from the hosted pages, at a real provider of another address. */
const links = { terms: 'http://localhost/terms', privacy: 'http://localhost/privacy' };
const { world, people, at, project_id } = await startHostedStage({ branding: { links } });
const provider = await startOpenidProvider({ pages: [at('sign-in')] });
afterAll(() => provider.close());
const { issuer, jwks_uri, authorization_endpoint, page_client_id } = provider;
const trusted = { issuer, jwks_uri, authorization_endpoint, client_ids: [page_client_id] };
await world.operate({
  ...{ action: 'update', project_id, identity_providers: { examplehub: trusted } },
});
const { open } = useBrowser();

/** Somebody at the provider: a page names them by the e-mail that it hints at. */
function known(email: string): string {
  provider.know({ sub: email, email, email_verified: true, name: 'Grace Hopper' });
  return email;
}
const button = 'Continue with Examplehub';

test('somebody new signs up at a provider, and in again', async () => {
  const email = known('grace@example.com');
  const grace = await open({ width: 390 });
  await grace.page.goto(at('sign-in', { login_hint: email }));
  await says(grace, 'By continuing you accept:');
  await expectWellMade(grace, 'sign-in-provider');
  await press(grace, button);
  await heading(grace, 'Account');
  await says(grace, email);
  const { page } = grace;
  // The token is not where a screenshot, a bookmark or the history would show it.
  await page.goBack();
  expect(page.url()).not.toContain('id_token');
  allow(grace, '401');

  const again = await open();
  await again.page.goto(at('members', { workspace_id: 'wid-x', login_hint: email }));
  await says(again, 'Sign in to go on.');
  await press(again, button);
  await settled(again);
  // Back on the page that asked for the sign-in.
  await expect
    .poll(() => again.page.url())
    .toBe(at('members', { workspace_id: 'wid-x', login_hint: email }));
  await again.page.getByRole('link', { name: 'Sign out' }).waitFor();
  allow(again, '401', '404', '400');
});

test('an e-mail that the provider has not verified opens no account of somebody else', async () => {
  await people.signUp('ada@example.com');
  const email = 'ada@example.com';
  provider.know({ sub: email, email, email_verified: false });
  const mallory = await open();
  await mallory.page.goto(at('sign-in', { login_hint: email }));
  await press(mallory, button);
  await says(mallory, 'Examplehub has not signed you in.');
  await field(mallory, 'Password').waitFor();
  expect(await mallory.page.getByRole('link', { name: 'Sign out' }).count()).toBe(0);
  allow(mallory, '401', '409', '403');
});

test('somebody who refuses at the provider is told so and can go on', async () => {
  const one = await open();
  const { page } = one;
  await page.goto(at('sign-in', { ui_locales: 'en' }));
  await page.route(`${authorization_endpoint}**`, async (route) => {
    const asked = new URL(route.request().url()).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      ...{ response_type: 'id_token', redirect_uri: at('sign-in'), client_id: page_client_id },
      ...{ state: expect.stringMatching(/^[0-9a-f]{32}$/), nonce: asked.get('state') },
    });
    const location = `${at('sign-in')}#error=access_denied&state=${asked.get('state')}`;
    await route.fulfill({ status: 302, headers: { location } });
  });
  await press(one, button);
  await says(one, 'Examplehub has not signed you in.');
  await expectWellMade(one, 'sign-in-provider-refused');
  // The query that the redirect URI cannot have is there again.
  expect(page.url()).toBe(at('sign-in', { ui_locales: 'en' }));
  await field(one, 'E-mail').waitFor();
  allow(one, '401');
});

test('a link with the token of somebody else signs nobody in (login CSRF)', async () => {
  const nonce = 'n'.repeat(32);
  const theirs = provider.signed({ aud: page_client_id, sub: 'mallory', nonce });
  const one = await open();
  const { page } = one;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  for (const state of ['', 'a'.repeat(32)]) {
    await page.goto('about:blank');
    await page.goto(`${at('sign-in')}#id_token=${theirs}&state=${state}`);
    await field(one, 'E-mail').waitFor();
  }
  expect(asked.filter((url) => url.includes('/sessions/identity'))).toEqual([]);
  expect(page.url()).toBe(at('sign-in'));
  allow(one, '401');
});
