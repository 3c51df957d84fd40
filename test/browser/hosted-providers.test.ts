import { expect, test } from 'vitest';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { goodPassword } from '../support/sign-in.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import {
  allow,
  field,
  heading,
  press,
  says,
  settled,
  startHostedStage,
  unfold,
  visit,
} from './hosted-stage.ts';

/** Sign-in with an identity provider on the hosted pages, at a real provider with its own address. */
const links = { terms: 'http://localhost/terms', privacy: 'http://localhost/privacy' };
const stage = await startHostedStage({ branding: { links } });
const { world, people, at, project_id, arrive, enterAs } = stage;
const provider = await startOpenidProvider({ pages: [at('sign-in')] });
const { issuer, jwks_uri, authorization_endpoint, page_client_id } = provider;
const trusted = { issuer, jwks_uri, authorization_endpoint, client_ids: [page_client_id] };
await world.operate({
  ...{ action: 'update', project_id, identity_providers: { examplehub: trusted } },
});
const { open } = useBrowser();

/** Creates a user at the provider, who is selected by the e-mail that a page passes as the hint. */
function registerAtProvider(email: string): string {
  provider.know({ sub: email, email, email_verified: true, name: 'Grace Hopper' });
  return email;
}
const button = 'Continue with Examplehub';

test('a new user signs up at a provider, and later signs in', async () => {
  const email = registerAtProvider('grace@example.com');
  const grace = await open({ width: 390 });
  await grace.page.goto(at('sign-in', { login_hint: email }));
  await says(grace, 'By continuing you accept:');
  await expectWellMade(grace, 'sign-in-provider');
  await press(grace, button);
  await heading(grace, 'Account');
  await says(grace, email);
  const { page } = grace;
  // Of her session, as on the button.
  await page.getByText(/^Examplehub · /).waitFor();
  // The token must not appear in a screenshot, a bookmark or the history.
  await page.goBack();
  expect(page.url()).not.toContain('id_token');
  allow(grace, '401');

  const again = await open();
  await again.page.goto(at('members', { workspace_id: 'wid-x', login_hint: email }));
  await says(again, 'Sign in to go on.');
  await press(again, button);
  await settled(again);
  // Back on the page that required the sign-in.
  await expect
    .poll(() => again.page.url())
    .toBe(at('members', { workspace_id: 'wid-x', login_hint: email }));
  await again.page.getByRole('link', { name: 'Sign out' }).waitFor();
  allow(again, '401', '404', '400');
});

test("an e-mail that the provider has not verified does not sign in to another user's account", async () => {
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

test('a user who refuses at the provider sees a message, and can sign in another way', async () => {
  const one = await open();
  const { page } = one;
  await page.goto(at('sign-in', { ui_locales: 'en' }));
  const request = page.waitForRequest(`${authorization_endpoint}**`);
  provider.chooseNext(() => 'refuses');
  await press(one, button);
  const parameters = new URL((await request).url()).searchParams;
  expect(Object.fromEntries(parameters)).toMatchObject({
    ...{ response_type: 'id_token', redirect_uri: at('sign-in'), client_id: page_client_id },
    ...{ state: expect.stringMatching(/^\d+(?:-\d+){3}$/), nonce: parameters.get('state') },
  });
  await says(one, 'Examplehub has not signed you in.');
  await expectWellMade(one, 'sign-in-provider-refused');
  // The query, which the redirect URI cannot contain, is restored.
  expect(page.url()).toBe(at('sign-in', { ui_locales: 'en' }));
  await field(one, 'E-mail').waitFor();
  allow(one, '401');
});

test('a link with the token of another user signs no user in (login CSRF)', async () => {
  const nonce = 'n'.repeat(32);
  const theirs = provider.signed({ aud: page_client_id, sub: 'mallory', nonce });
  const one = await open();
  const { page } = one;
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  for (const state of ['', 'a'.repeat(32)]) {
    await page.goto('about:blank');
    await page.goto(`${at('sign-in')}#id_token=${theirs}&state=${state}`);
    await field(one, 'E-mail').waitFor();
  }
  expect(urls.filter((url) => url.includes('/sessions/identity'))).toEqual([]);
  expect(page.url()).toBe(at('sign-in'));
  allow(one, '401');
});

/** The browser goes only to the provider. */
function allowProvider({ problems }: Opened): void {
  const others = problems.splice(0).filter((each) => !each.includes(`elsewhere: ${issuer}/`));
  problems.push(...others);
}
/** The password field in the form with a button of that name. */
const passwordOf = ({ page }: Opened, name: string) =>
  page
    .locator('form', { has: page.getByRole('button', { name, exact: true }) })
    .getByLabel('Password', { exact: true });
const methodsOf = async (bearer: string) =>
  Object.keys((await world.as(bearer).users.getMe()).body.sign_in_methods ?? {});

test('a user links an account with the password, and unlinks it', async () => {
  const email = registerAtProvider('linus@example.com');
  const { bearer } = await people.signUp(email);
  const linus = await arrive(
    await open({ width: 390 }),
    email,
    at('account', { ui_locales: 'en' }),
  );
  const { page } = linus;
  await press(linus, 'Link Examplehub');
  // Back on the page where linking started, although the provider has only the sign-in page as its redirect URI.
  await page.locator('form', { hasText: 'Link Examplehub' }).waitFor();
  expect(page.url()).toBe(at('account'));
  expect(await methodsOf(bearer)).not.toContain('examplehub');
  await expectWellMade(linus, 'account-link');
  await passwordOf(linus, 'Link Examplehub').fill('not his password');
  await press(linus, 'Link Examplehub');
  await says(linus, 'The password is wrong.');
  allow(linus, '401');
  await passwordOf(linus, 'Link Examplehub').fill(goodPassword);
  await press(linus, 'Link Examplehub');
  await says(linus, 'Saved.');
  expect(await page.getByRole('button', { name: 'Link Examplehub', exact: true }).count()).toBe(0);
  expect(await methodsOf(bearer)).toContain('examplehub');
  await page.goBack();
  expect(page.url()).not.toContain('id_token');

  await visit(linus, at('account'));
  await unfold(linus, 'Examplehub');
  await expectWellMade(linus, 'account-linked');
  await press(linus, 'Unlink Examplehub');
  await says(linus, 'This field is empty.');
  await passwordOf(linus, 'Unlink Examplehub').fill(goodPassword);
  await press(linus, 'Unlink Examplehub');
  await page.getByRole('button', { name: 'Link Examplehub', exact: true }).waitFor();
  expect(
    (await world.as(bearer).users.getMe()).body.sign_in_methods?.['examplehub'],
  ).not.toMatchObject({ enabled: true });
});

test("a user without a password links by a click, and cannot link another user's account", async () => {
  const taken = registerAtProvider('taken@example.com');
  const owner = await open();
  await owner.page.goto(at('sign-in', { login_hint: taken }));
  await press(owner, button);
  await heading(owner, 'Account');
  allow(owner, '401');

  const person = await people.signInByCode('ida@example.com');
  const ida = await enterAs(await open({ width: 390, dark: true }), person);
  const { page } = ida;
  await visit(ida, at('account'));
  // After a permanent error the page starts over: the user picks another account on the same page.
  for (const [hint, words] of [
    [taken, 'This account is linked already, or another one is.'],
    [registerAtProvider('ida@example.com'), 'Saved.'],
  ] as const) {
    provider.chooseNext(() => ({ signsInAs: hint }));
    await press(ida, 'Link Examplehub');
    await page.locator('form', { hasText: 'Link Examplehub' }).waitFor();
    await press(ida, 'Link Examplehub');
    await says(ida, words);
    expect(page.url()).toBe(at('account'));
    allowProvider(ida);
    allow(ida, '409');
  }
  // An account that another device has already unlinked is shown as unlinked.
  await world.as(person.bearer).identities.unlink({ provider: 'examplehub' });
  await unfold(ida, 'Examplehub');
  await press(ida, 'Unlink Examplehub');
  await page.getByRole('button', { name: 'Link Examplehub', exact: true }).waitFor();
  allow(ida, '404');
});

test('a response links no account after a refusal, or if another user has signed in meanwhile', async () => {
  const email = registerAtProvider('uma@example.com');
  const uma = await enterAs(await open(), await people.signUp(email));
  const { page } = uma;
  await visit(uma, at('account'));
  provider.chooseNext(() => 'refuses');
  await press(uma, 'Link Examplehub');
  await says(uma, 'No account at Examplehub was linked.');
  await expectWellMade(uma, 'account-link-refused');

  const other = await people.signUp('vera@example.com');
  provider.chooseNext(async () => {
    await enterAs(uma, other);
    return undefined;
  });
  await press(uma, 'Link Examplehub');
  await says(uma, 'vera@example.com');
  await settled(uma);
  expect(await page.locator('form', { hasText: 'Link Examplehub' }).count()).toBe(0);
  expect(await methodsOf(other.bearer)).not.toContain('examplehub');
  allowProvider(uma);
});
