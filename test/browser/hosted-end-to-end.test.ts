import { expect, test } from 'vitest';
import { goodPassword } from '../support/sign-in.ts';
import { expectWellMade, useBrowser } from './browser.ts';
import { branding } from './deployed-stage.ts';
import { allow, field, follow, heading, press, says, unfold } from './hosted-stage.ts';
import { startJourneyStage } from './journey-stage.ts';

/**
 * From sign-up to deletion, entirely on the hosted pages. `npm run test:deployed` also runs it, against the deployed
 * service.
 */
const stage = await startJourneyStage({ branding });
const { at, linkTo, signUp, signIn, arrive, enterCode, ownedWorkspace } = stage;
const { open } = useBrowser();

test('a user signs up by mail, signs out, and signs in by password', async () => {
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
  // The token must not appear in a screenshot, a bookmark or the history.
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

test('an invited new user signs in with a code on the invitation page, and accepts', async () => {
  const { opened: anna } = await ownedWorkspace(await open(), 'anna@example.com', 'Engines & Co');
  await field(anna, 'E-mail').fill('grace@example.com');
  await field(anna, 'Message (optional)').fill('Come and see <the engine>');
  await press(anna, 'Send the invitation');
  await says(anna, 'We have sent an invitation to grace@example.com.');
  await anna.page.getByRole('button', { name: 'Revoke grace@example.com' }).waitFor();

  const grace = await open({ width: 390 });
  await grace.page.goto(await linkTo('grace@example.com'));
  await says(grace, 'Sign in to go on.');
  expect(grace.page.url()).not.toContain('token');
  allow(grace, '401');
  await expectWellMade(grace, 'invitation-sign-in');
  await enterCode(grace, 'grace@example.com');
  await says(grace, 'You are signed in as grace@example.com.');
  await heading(grace, 'Invitation');
  await expectWellMade(grace, 'invitation');
  await press(grace, 'Accept');
  await says(grace, 'You are a member of the workspace.');
  await expectWellMade(grace, 'invitation-accepted');
  await follow(grace, 'To the workspace');
  await says(grace, '2 members');
  // A plain member cannot change anything here.
  await says(grace, 'anna@example.com');
  expect(await grace.page.getByRole('heading', { name: 'Invitations' }).count()).toBe(0);
  expect(await grace.page.getByLabel(/^Role of/).count()).toBe(0);

  await anna.page.reload();
  await says(anna, '2 members');
  await says(anna, 'No invitations.');
});

test('users join by a join link until it is revoked', async () => {
  const { opened: lena } = await ownedWorkspace(await open(), 'lena@example.com', 'Looms');
  await unfold(lena, 'Create a link');
  await lena.page.getByLabel('How many people may use it').fill('5');
  await press(lena, 'Create');
  await says(lena, 'Whoever has this link can join.');
  await expectWellMade(lena, 'members-join-link');
  const link = (await lena.page.locator('.copy code').textContent()) ?? '';
  expect(link).toContain('#join=');

  await signUp('mia@example.com');
  const mia = await arrive(await open({ width: 390, dark: true }), 'mia@example.com', link);
  await says(mia, 'You can join a workspace. You are signed in as mia@example.com.');
  expect(mia.page.url()).not.toContain('#');
  await expectWellMade(mia, 'join');
  await press(mia, 'Join');
  await says(mia, 'You are a member of the workspace.');
  await follow(mia, 'To the workspace');
  await says(mia, '2 members');

  await lena.page.reload();
  await says(lena, 'used 1 time');
  await lena.page.getByRole('button', { name: /^Revoke Link of/ }).click();
  await says(lena, 'No links.');
  await signUp('late@example.com');
  const late = await arrive(await open({ width: 390 }), 'late@example.com', link);
  await press(late, 'Join');
  await says(late, 'This link has expired, was revoked or used up');
  await expectWellMade(late, 'join-refused');
  allow(late, '400', '403', '404');
});

test('"Sign out everywhere" signs out the other browser with its next request', async () => {
  await signUp('dora@example.com');
  const phone = await arrive(await open({ width: 390 }), 'dora@example.com', at('account'));
  const desk = await arrive(await open(), 'dora@example.com', at('account'));
  await says(desk, 'This browser');
  await press(phone, 'Sign out everywhere');
  await says(phone, 'End all sessions, and this one?');
  await press(phone, 'Cancel');
  await press(phone, 'Sign out everywhere');
  await phone.page.getByRole('group').getByRole('button', { name: 'Sign out everywhere' }).click();
  await says(phone, 'You are signed out of this browser.');
  await field(desk, 'Display name (optional)').fill('Dora');
  await press(desk, 'Save');
  await heading(desk, 'Sign in');
  allow(desk, '401');
  allow(phone, '401');
  await signIn(desk, 'dora@example.com');
  await heading(desk, 'Account');
  expect(await phone.context.cookies()).toEqual([]);
});

test('a user changes profile, e-mail and password, and deletes the account', async () => {
  await signUp('emma@example.com');
  const emma = await arrive(await open(), 'emma@example.com', at('account'));
  const { page } = emma;
  await field(emma, 'Display name (optional)').fill('Emma ‏عبد الرحمن');
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
  // The next at this browser cannot have it shown.
  expect(await field(emma, 'New password').inputValue()).toBe('');
  // The list of sessions agrees.
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
