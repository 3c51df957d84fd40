import { expect, test } from 'vitest';
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
  unfold,
} from './hosted-stage.ts';

/** What somebody does with an account of their own, from the sign-up to the deletion. */
const links = {
  home: 'http://localhost/',
  terms: 'http://localhost/terms',
  privacy: 'http://localhost/privacy',
};
const stage = await startHostedStage({ branding: { color: '#b0228c', links } });
const { people, at, linkTo, signIn, arrive, enterCode } = stage;
const { open } = useBrowser();

test('sign up by mail, sign out, and in again by password', async () => {
  const ada = await open({ width: 390 });
  const { page, context } = ada;
  await page.goto(at('sign-in'));
  await follow(ada, 'Create an account');
  await field(ada, 'E-mail').fill('ada@example.com');
  await press(ada, 'Send me a link');
  await says(ada, 'We have sent a mail to ada@example.com.');
  await expectWellMade(ada, 'sign-up-sent');
  allow(ada, '401');

  await page.goto(await linkTo('ada@example.com'));
  await heading(ada, 'New password');
  // The token is not where a screenshot, a bookmark or the history would show it.
  expect(page.url()).not.toContain('#');
  expect(page.url()).not.toContain('token');
  await expectWellMade(ada, 'new-password');
  await field(ada, 'New password').fill('short');
  await press(ada, 'Set the password');
  await page.locator('[aria-invalid=true]').waitFor();
  await field(ada, 'New password').fill(goodPassword);
  await press(ada, 'Set the password');
  await says(ada, 'Agree to the terms to go on.');
  await expectWellMade(ada, 'new-password-terms');
  await page.getByLabel('I agree to:').check();
  await press(ada, 'Set the password');
  await heading(ada, 'Account');
  await says(ada, 'ada@example.com');

  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  expect(await page.evaluate('document.cookie')).toBe('');
  await page.reload();
  await heading(ada, 'Account');
  await says(ada, 'This browser');

  await follow(ada, 'Sign out');
  await says(ada, 'Do you want to sign out?');
  await press(ada, 'Sign out');
  await says(ada, 'You are signed out of this browser.');
  expect(await context.cookies()).toEqual([]);
  await page.goBack();
  await page.goto(at('account'));
  await says(ada, 'Sign in to go on.');
  allow(ada, '401');

  await follow(ada, 'Forgot your password?');
  await follow(ada, 'Sign in instead');
  await signIn(ada, 'ada@example.com', 'not her password');
  await says(ada, 'The e-mail or the password is wrong.');
  allow(ada, '401');
  expect(await field(ada, 'E-mail').inputValue()).toBe('ada@example.com');
  await expectWellMade(ada, 'sign-in-wrong-password');
  await signIn(ada, 'ada@example.com');
  await heading(ada, 'Account');
});

test('sign up and sign in by a mailed code', async () => {
  const bob = await open({ width: 390, dark: true });
  await bob.page.goto(at('sign-up'));
  await press(bob, 'Use a code by e-mail');
  await field(bob, 'E-mail').fill('bob@example.com');
  await press(bob, 'Send me a code');
  await says(bob, 'We have sent a code to bob@example.com.');
  const code = await people.mailed('bob@example.com');
  await field(bob, 'Code').fill(code.slice(1));
  await press(bob, 'Create an account');
  await says(bob, 'Enter the six digits of the code.');
  await field(bob, 'Code').fill(code === '000000' ? '111111' : '000000');
  await bob.page.getByLabel('I agree to:').check();
  await press(bob, 'Create an account');
  await says(bob, 'The code is wrong or has expired.');
  await expectWellMade(bob, 'sign-up-code');
  await field(bob, 'Code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await press(bob, 'Create an account');
  await heading(bob, 'Account');
  await says(bob, 'You have no password.');
  allow(bob, '401');

  const elsewhere = await open();
  await elsewhere.page.goto(at('sign-in', { login_hint: 'bob@example.com' }));
  expect(await field(elsewhere, 'E-mail').inputValue()).toBe('bob@example.com');
  await enterCode(elsewhere, 'bob@example.com');
  await heading(elsewhere, 'Account');
  allow(elsewhere, '401');
});

test('a sign-in by code states the terms that somebody new accepts', async () => {
  const eve = await open({ width: 390 });
  await eve.page.goto(at('sign-in'));
  await press(eve, 'Use a code by e-mail');
  await field(eve, 'E-mail').fill('eve@example.com');
  await press(eve, 'Send me a code');
  await says(eve, 'By continuing you accept: Terms, Privacy');
  await expectWellMade(eve, 'sign-in-code-terms');
  await field(eve, 'Code').fill(await people.mailed('eve@example.com'));
  const sent = eve.page.waitForRequest((request) => request.url().endsWith('/sessions/code'));
  await press(eve, 'Sign in');
  await heading(eve, 'Account');
  allow(eve, '401');
  const body = (await sent).postDataJSON() as object;
  expect(body).toMatchObject({ agreed_terms: { tos: true, sign_up: true } });
});

test('a forgotten password is set anew by mail, and its link is good once', async () => {
  await people.signUp('carl@example.com');
  const before = await arrive(await open(), 'carl@example.com', at('account'));
  const carl = await open({ width: 390 });
  await carl.page.goto(at('forgotten-password'));
  await field(carl, 'E-mail').fill('carl');
  await press(carl, 'Send me a link');
  await says(carl, 'Enter an e-mail address, such as ada@example.com.');
  await field(carl, 'E-mail').fill('carl@example.com');
  await press(carl, 'Send me a link');
  await says(carl, 'If there is an account for carl@example.com, we have sent it a link.');
  await expectWellMade(carl, 'forgotten-password-sent');
  const link = await linkTo('carl@example.com');
  await carl.page.goto(link);
  await field(carl, 'New password').fill(`${goodPassword} 2`);
  await carl.page.getByLabel('I agree to:').check();
  await press(carl, 'Set the password');
  await heading(carl, 'Account');

  // Who had the old password is out.
  await press(before, 'Save');
  await heading(before, 'Sign in');
  allow(before, '401');
  await signIn(before, 'carl@example.com');
  await says(before, 'The e-mail or the password is wrong.');
  allow(before, '401');

  await before.page.goto(link);
  await field(before, 'New password').fill(`${goodPassword} 3`);
  await before.page.getByLabel('I agree to:').check();
  await press(before, 'Set the password');
  await says(before, 'The link was used, has expired');
  await expectWellMade(before, 'new-password-used');
  allow(before, '400');
  await signInAnew('carl@example.com', `${goodPassword} 2`);
});

async function signInAnew(email: string, password: string): Promise<void> {
  const opened = await open();
  await opened.page.goto(at('sign-in'));
  await signIn(opened, email, password);
  await heading(opened, 'Account');
  allow(opened, '401');
}

test('sign out everywhere: the next step of the other browser leads to the sign-in', async () => {
  await people.signUp('dora@example.com');
  const phone = await arrive(await open({ width: 390 }), 'dora@example.com', at('account'));
  const desk = await arrive(await open(), 'dora@example.com', at('account'));
  await says(desk, 'This browser');
  await press(phone, 'Sign out everywhere');
  await says(phone, 'End all sessions, and this one?');
  await press(phone, 'Cancel');
  await press(phone, 'Sign out everywhere');
  await phone.page.getByRole('group').getByRole('button', { name: 'Sign out everywhere' }).click();
  await says(phone, 'You are signed out of this browser.');
  await field(desk, 'Displayed name (optional)').fill('Dora');
  await press(desk, 'Save');
  await heading(desk, 'Sign in');
  allow(desk, '401');
  allow(phone, '401');
  await signIn(desk, 'dora@example.com');
  await heading(desk, 'Account');
  expect(await phone.context.cookies()).toEqual([]);
});

test('profile, e-mail and password are changed, and the account is deleted', async () => {
  await people.signUp('emma@example.com');
  const emma = await arrive(await open(), 'emma@example.com', at('account'));
  const { page } = emma;
  await field(emma, 'Displayed name (optional)').fill('Emma ‏عبد الرحمن');
  await press(emma, 'Save');
  await says(emma, 'Saved.');

  await unfold(emma, 'Change your e-mail');
  await field(emma, 'New e-mail').fill('emma@elsewhere.example.com');
  await field(emma, 'Password').first().fill(goodPassword);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await says(emma, 'We have sent a link to emma@elsewhere.example.com.');
  await page.goto(await linkTo('emma@elsewhere.example.com'));
  await heading(emma, 'Change your e-mail');
  await expectWellMade(emma, 'change-email');
  await press(emma, 'Confirm');
  await says(emma, 'emma@elsewhere.example.com is confirmed.');
  await follow(emma, 'To your account');

  await unfold(emma, 'Change your password');
  await field(emma, 'Current password').fill('not her password');
  await field(emma, 'New password').fill(`${goodPassword} 2`);
  await press(emma, 'Change your password');
  await says(emma, 'The password is wrong.');
  allow(emma, '401');
  await field(emma, 'Current password').fill(goodPassword);
  await press(emma, 'Change your password');
  await says(emma, 'Your password is changed.');
  // The list of sessions says so too.
  await expect.poll(() => page.getByRole('button', { name: /^End / }).count()).toBe(0);
  await expectWellMade(emma, 'account');

  await unfold(emma, 'Delete your account');
  await field(emma, 'Type emma@elsewhere.example.com to confirm').fill('emma@example.com');
  await press(emma, 'Delete your account');
  await page.locator('[aria-invalid=true]').first().waitFor();
  await field(emma, 'Type emma@elsewhere.example.com to confirm').fill(
    'Emma@elsewhere.example.com',
  );
  await field(emma, 'Password').last().fill(`${goodPassword} 2`);
  await press(emma, 'Delete your account');
  await says(emma, /^Your account at Test was deleted on/);
  await expectWellMade(emma, 'account-deleted');
  await page.goto(at('sign-in'));
  await signIn(emma, 'emma@elsewhere.example.com', `${goodPassword} 2`);
  await says(emma, 'The e-mail or the password is wrong.');
  allow(emma, '401');
});
