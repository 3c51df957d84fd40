import { expect, test } from 'vitest';
import { newApp } from '../support/factors.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { goodPassword } from '../support/sign-in.ts';
import { expectWellMade, useBrowser } from './browser.ts';
import {
  allow,
  field,
  follow,
  heading,
  press,
  says,
  startHostedStage,
  visit,
} from './hosted-stage.ts';

/** The second factor at every sign-in on the hosted pages. */
const stage = await startHostedStage({ mfa: 'optional' });
const { world, people, signIn, at, project_id, enterCode, linkTo } = stage;
const provider = await startOpenidProvider({ pages: [at('sign-in')] });
const { issuer, jwks_uri, authorization_endpoint, page_client_id } = provider;
const trusted = { issuer, jwks_uri, authorization_endpoint, client_ids: [page_client_id] };
await world.operate({
  ...{ action: 'update', project_id, identity_providers: { examplehub: trusted } },
});
const { open } = useBrowser();

/** A user with an authenticator app. */
async function enrolled(email: string) {
  const ada = await people.signUp(email);
  const { factors } = world.as(ada);
  const { secret } = (await factors.startTotp({ current_password: goodPassword })).body;
  const app = newApp(secret);
  const { recovery_codes } = (await factors.confirmTotp({ code: await app.codeBefore() })).body;
  const left = async () => (await factors.list()).body.result[0]?.recovery_codes_left;
  return { ada, app, recovery_codes, left };
}

test('after the password the code of the app is required, and a wrong one is refused', async () => {
  const email = 'ada@example.com';
  const { app } = await enrolled(email);
  const opened = await open({ width: 390 });
  await visit(opened, at('sign-in'));
  allow(opened, '401');
  await signIn(opened, email);
  await field(opened, 'Code').waitFor();
  await expectWellMade(opened, 'sign-in-second-factor');
  expect(await opened.page.getByRole('button').count()).toBe(1);
  await field(opened, 'Code').fill('12');
  await press(opened, 'Sign in');
  // The message appears above the form, and then at the field.
  await opened.page.getByText('or a recovery code').nth(1).waitFor();
  await field(opened, 'Code').fill(app.wrong());
  await press(opened, 'Sign in');
  await says(opened, 'The code is wrong or has expired. Each code works once.');
  await field(opened, 'Code').fill(app.code());
  await press(opened, 'Sign in');
  await heading(opened, 'Account');
  expect(new URL(opened.page.url()).pathname).toBe(new URL(at('account')).pathname);
});

test('a recovery code completes the sign-in', async () => {
  const email = 'grace@example.com';
  const { recovery_codes, left } = await enrolled(email);
  const opened = await open({ width: 390 });
  await visit(opened, at('sign-in'));
  allow(opened, '401');
  await signIn(opened, email);
  await field(opened, 'Code').fill(recovery_codes[0] ?? '');
  await press(opened, 'Sign in');
  await heading(opened, 'Account');
  expect(await left()).toBe(9);
});

test.each([
  ['a mailed code', 'sign-in', 'Sign in'],
  ['a mailed code on the page to sign up', 'sign-up', 'Create an account'],
] as const)('%s is followed by the code of the app', async (_, page, submit) => {
  const email = `code-${page}@example.com`;
  const { app } = await enrolled(email);
  const opened = await open({ width: 390 });
  await visit(opened, at(page));
  await enterCode(opened, email, submit);
  allow(opened, '401');
  await says(opened, 'Enter the code of your authenticator app, or a recovery code.');
  await field(opened, 'Code').fill(app.code());
  await press(opened, 'Sign in');
  await heading(opened, 'Account');
  expect(opened.page.url()).toBe(at('account'));
});

test('a new password by mail is set, then the code of the app is required', async () => {
  const email = 'carl@example.com';
  const { app } = await enrolled(email);
  const opened = await open({ width: 390 });
  await visit(opened, at('forgotten-password'));
  await field(opened, 'E-mail').fill(email);
  await press(opened, 'Send me a link');
  await says(opened, 'we have sent it a link');
  await visit(opened, await linkTo(email));
  const password = 'another horse battery staple';
  await field(opened, 'New password').fill(password);
  await press(opened, 'Set the password');
  await says(opened, 'Enter the code of your authenticator app, or a recovery code.');
  await expectWellMade(opened, 'new-password-second-factor');
  allow(opened, '401');
  await field(opened, 'Code').fill(app.wrong());
  await press(opened, 'Sign in');
  await says(opened, 'The code is wrong or has expired.');
  await field(opened, 'Code').fill(app.code());
  await press(opened, 'Sign in');
  await heading(opened, 'Account');
  const { status } = await people.post('/sessions/password', { email, password });
  expect(status).toBe(200);
});

test('after a provider the code of the app is required, then the requested page opens', async () => {
  const email = 'grace@provider.example';
  provider.know({ sub: email, email, email_verified: true });
  const { app } = await enrolled(email);
  const opened = await open({ width: 390 });
  const target = at('members', { workspace_id: 'wid-x', login_hint: email });
  await visit(opened, target);
  await press(opened, 'Continue with Examplehub');
  await field(opened, 'Code').fill(app.code());
  await press(opened, 'Sign in');
  await expect.poll(() => opened.page.url()).toBe(target);
  await opened.page.getByRole('link', { name: 'Sign out' }).waitFor();
  allow(opened, '401', '404', '400');
});

test('a change of the account during the sign-in leads to a new sign-in', async () => {
  const email = 'kate@example.com';
  const { app, ada } = await enrolled(email);
  const opened = await open({ width: 390 });
  await visit(opened, at('workspaces'));
  allow(opened, '400', '401');
  await signIn(opened, email);
  await field(opened, 'Code').waitFor();
  await world.as(ada).users.update({ uid: ada.uid, display_name: 'Kate' });
  await field(opened, 'Code').fill(app.code());
  await press(opened, 'Sign in');
  await says(opened, 'your account has changed meanwhile');
  await follow(opened, 'Sign in again');
  await signIn(opened, email);
  await field(opened, 'Code').fill(app.code());
  await press(opened, 'Sign in');
  await heading(opened, 'Account');
  expect(opened.page.url()).toBe(at('account'));
});
