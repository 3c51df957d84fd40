import { expect, test } from 'vitest';
import { limits } from '../../shared/model/limits.ts';
import { goodPassword } from '../support/sign-in.ts';
import { expectWellMade, useBrowser } from './browser.ts';
import { branding } from './deployed-stage.ts';
import { allow, field, heading, press, says, startHostedStage } from './hosted-stage.ts';

/** Account journeys on the hosted pages. The one from sign-up to deletion is in hosted-end-to-end.test.ts. */
const stage = await startHostedStage({ branding });
const { world, people, at, linkTo, signIn, arrive, enterCode } = stage;
const { open } = useBrowser();

test('a user signs up and signs in by a mailed code', async () => {
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

test('after a reload the form for the mailed code is shown again, until the code is used or cancelled', async () => {
  await people.signUp('gina@example.com');
  const gina = await open({ width: 390 });
  const { page } = gina;
  const askForCode = async () => {
    await field(gina, 'E-mail').fill('gina@example.com');
    await press(gina, 'Send me a code');
    await says(gina, 'We have sent a code to gina@example.com.');
  };
  await page.goto(at('sign-in'));
  await press(gina, 'Use a code by e-mail');
  await askForCode();
  await people.mailed('gina@example.com');
  await page.reload();
  await says(gina, 'We have sent a code to gina@example.com.');
  await press(gina, 'Use another e-mail, or send a new code');
  await field(gina, 'E-mail').waitFor();
  await page.reload();
  await field(gina, 'Password').waitFor();
  await press(gina, 'Use a code by e-mail');
  await askForCode();
  await page.reload();
  await field(gina, 'Code').fill(await people.mailed('gina@example.com'));
  await press(gina, 'Sign in');
  await heading(gina, 'Account');
  expect(await page.evaluate('history.state?.code')).toBeUndefined();
  allow(gina, '401');
});

test('the password field is masked, allows pasting, and is marked for password managers', async () => {
  const opened = await open();
  const { page } = opened;
  await page.goto(at('sign-in'));
  await field(opened, 'E-mail').fill('a password of some length');
  await field(opened, 'E-mail').press('ControlOrMeta+a');
  await field(opened, 'E-mail').press('ControlOrMeta+c');
  const password = field(opened, 'Password');
  await password.press('ControlOrMeta+v');
  expect(await password.inputValue()).toBe('a password of some length');
  const isOf = (name: string) => password.getAttribute(name);
  expect([await isOf('type'), await isOf('autocomplete')]).toEqual([
    'password',
    'current-password',
  ]);
  allow(opened, '401');
});

test('the sign-in by code shows the terms, which a new user accepts by signing in', async () => {
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

test('a user sets a new password by a mailed link, which works once', async () => {
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

  // Sessions from before the password change are signed out.
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

  const anew = await open();
  await anew.page.goto(at('sign-in'));
  await signIn(anew, 'carl@example.com', `${goodPassword} 2`);
  await heading(anew, 'Account');
  allow(anew, '401');
});

test('a second mailed link opened in the same tab replaces the first, and leaves the address', async () => {
  await people.signUp('hugo@example.com');
  const hugo = await open();
  const { page } = hugo;
  await page.goto(`${at('new-password')}#token=${'x'.repeat(43)}`);
  await field(hugo, 'New password').waitFor();
  const { project_id } = people;
  await world.as().passwords.forgot({ project_id, email: 'hugo@example.com' });
  const link = await linkTo('hugo@example.com');
  await page.evaluate(`location.hash = ${JSON.stringify(new URL(link).hash)}`);
  await expect.poll(() => page.url()).not.toContain('#');
  await field(hugo, 'New password').fill(`${goodPassword} 5`);
  await page.getByLabel('I agree to:').check();
  await press(hugo, 'Set the password');
  await heading(hugo, 'Account');
});

test('a sign-in whose session could not be stored is completed by the next try, without a new code', async () => {
  await people.signUp('ines@example.com');
  const ines = await open();
  const { page } = ines;
  const keeping = /\/pages\/[^/]+\/session$/;
  await page.goto(at('sign-in'));
  await press(ines, 'Use a code by e-mail');
  await field(ines, 'E-mail').fill('ines@example.com');
  await press(ines, 'Send me a code');
  await field(ines, 'Code').fill(await people.mailed('ines@example.com'));
  await page.route(keeping, (route) => route.abort('connectionreset'));
  await press(ines, 'Sign in');
  await says(ines, 'The service cannot be reached. Are you online?');
  await page.unroute(keeping);
  await press(ines, 'Sign in');
  await heading(ines, 'Account');
  const unexpected = ines.problems.splice(0).filter((each) => !/status of 401|RESET/.test(each));
  expect(unexpected).toEqual([]);
});

test('a reload and "back" keep the token of a mailed link until it is used, outside of address and storage', async () => {
  await people.signUp('dora@example.com');
  const dora = await open({ width: 390 });
  const { page, context } = dora;
  await context.route('http://localhost/terms', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Terms</h1>' }),
  );
  await page.goto(at('forgotten-password'));
  await field(dora, 'E-mail').fill('dora@example.com');
  await press(dora, 'Send me a link');
  await says(dora, 'If there is an account for dora@example.com');
  const link = await linkTo('dora@example.com');
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? '-';
  await page.goto(link);
  await field(dora, 'New password').waitFor();
  await page.reload();
  await field(dora, 'New password').waitFor();
  await page.locator('footer').getByRole('link', { name: 'Terms' }).click();
  await heading(dora, 'Terms');
  expect(await page.evaluate('document.referrer')).not.toContain(token);
  await page.goBack();
  await field(dora, 'New password').fill(`${goodPassword} 4`);
  // No address and no storage contains the token, including those of the earlier pages of this tab.
  expect(page.url()).not.toContain(token);
  const stored = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';
  expect(await page.evaluate(stored)).not.toContain(token);
  expect(await page.evaluate('history.state')).toEqual({ fragment: `token=${token}` });
  await page.getByLabel('I agree to:').check();
  await press(dora, 'Set the password');
  await heading(dora, 'Account');
  await page.goBack();
  await says(dora, 'The link was used, has expired');
  expect(await page.evaluate('history.state')).toBeNull();
  allow(dora, '401');
});

test('an invitation page survives a change of the signed-in user in another tab', async () => {
  const owner = await people.signUp('owner@example.com');
  const { workspace_id } = await world.workspace({ owner, name: 'Engines' });
  const invited = await people.signUp('invited@example.com');
  await world.as(owner).invitations.create({ workspace_id, email: invited.email, role: 'member' });
  const link = await linkTo(invited.email);
  const first = await arrive(await open({ width: 390 }), owner.email, at('account'));
  await first.page.goto(link);
  await press(first, 'Accept');
  await says(first, 'is for another account');
  allow(first, '400', '401', '409');
  const tab = await open({ width: 390 }, first);
  await tab.page.goto(at('sign-out'));
  await press(tab, 'Sign out');
  await heading(tab, 'Signed out');
  await arrive(tab, invited.email, at('account'));
  // The owner's action does not continue as another user: the page reloads with the invitation.
  await press(first, 'Accept');
  await says(first, `You are signed in as ${invited.email}.`);
  await press(first, 'Accept');
  await says(first, 'You are a member of the workspace.');
  expect(await first.page.evaluate('history.state')).toBeNull();
  allow(tab, '401');
});

test('the sign-in says that a password is too long', async () => {
  const opened = await open();
  await opened.page.goto(at('sign-in'));
  await signIn(opened, 'fay@example.com', 'x'.repeat(limits.password.max + 1));
  await says(opened, `At most ${limits.password.max} characters.`);
  await expectWellMade(opened, 'sign-in-password-too-long');
  await signIn(opened, 'fay@example.com', 'x'.repeat(limits.password.max));
  await says(opened, 'The e-mail or the password is wrong.');
  allow(opened, '401');
});
