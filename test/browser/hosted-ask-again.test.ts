import { expect, test } from 'vitest';
import { ageAll, newApp } from '../support/factors.ts';
import { goodPassword } from '../support/sign-in.ts';
import type { Person } from '../support/world.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import { allow, field, says, startHostedStage, visit } from './hosted-stage.ts';

/** The reauthentication dialog of the hosted pages, and the request that waited for it. */
const { world, people, at, enterAs } = await startHostedStage({
  mfa: 'optional',
  recent_sign_in: true,
});
const { open } = useBrowser();
const another = `another ${goodPassword}`;

/** Opens the account of a user who signed in an hour ago, and requests a password change. */
async function change(opened: Opened, ada: Person, language = 'en') {
  await enterAs(opened, ada);
  await ageAll(world, ada);
  allow(opened, '401');
  await visit(opened, at('account', { ui_locales: language }));
  const { page } = opened;
  await page.locator('summary', { hasText: /Change your password|Passwort ändern/ }).click();
  const form = page.locator('form', { has: page.locator('[name=new_password]') });
  await form.locator('[name=current_password]').fill(goodPassword);
  await form.locator('[name=new_password]').fill(another);
  await form.locator('button[type=submit]').click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  return { dialog, press };
}

test('the dialog asks for the password, reports a wrong one, and the request is then sent once', async () => {
  const ada = await people.signUp('ada@again.example.com');
  const opened = await open({ width: 390 });
  const { dialog, press } = await change(opened, ada);
  await dialog.getByLabel('Password', { exact: true }).fill('not my password');
  await press('Go on');
  await dialog.getByText('The password is wrong.').waitFor();
  await dialog.getByLabel('Password', { exact: true }).fill(goodPassword);
  await press('Go on');
  await says(opened, 'Your password is changed.');
  expect(await opened.page.getByRole('dialog').count()).toBe(0);
  await world.drainStream();
  const events = world.events().filter(({ data }) => data.user_id === ada.uid);
  const types = events.map(({ type }) => type);
  expect(types.filter((type) => type === 'session.reauthenticated')).toHaveLength(1);
  expect(types.at(-2)).toBe('user.password_changed');
});

test('cancelling changes nothing, and the next request asks again', async () => {
  const bob = await people.signUp('bob@again.example.com');
  const opened = await open({ width: 390 });
  const { press } = await change(opened, bob);
  await press('Cancel');
  await says(opened, 'Nothing was changed, because you have not confirmed that it is you.');
  await opened.page
    .locator('form', { has: field(opened, 'New password') })
    .getByRole('button', { name: 'Change your password' })
    .click();
  await opened.page.getByRole('dialog').waitFor();
  await opened.page.keyboard.press('Escape');
  await says(opened, 'Nothing was changed, because you have not confirmed that it is you.');
  expect((await people.signIn('bob@again.example.com')).uid).toBe(bob.uid);
});

test('a user with an app is asked for its code only', async () => {
  const eve = await people.signUp('eve@again.example.com');
  const { factors } = world.as(eve);
  const { secret } = (await factors.startTotp({ current_password: goodPassword })).body;
  const app = newApp(secret);
  await factors.confirmTotp({ code: await app.codeBefore() });
  const opened = await open({ width: 390 });
  const { dialog, press } = await change(opened, eve);
  expect(await dialog.getByLabel('Password', { exact: true }).count()).toBe(0);
  await dialog.getByRole('textbox').fill(app.code());
  await press('Go on');
  await says(opened, 'Your password is changed.');
});

test('the dialog passes the checks in every view', async () => {
  const person = await people.signUp('look@again.example.com');
  const opened = await open();
  const { dialog, press } = await change(opened, person);
  await press('Go on');
  await dialog.locator('[aria-invalid=true]').waitFor();
  await opened.picture('ask-again-window', 'window');
  await expectWellMade(opened, 'ask-again');
});

test('the dialog is available in German', async () => {
  const emil = await people.signUp('emil@again.example.com');
  const opened = await open({ width: 390 });
  await change(opened, emil, 'de');
  await opened.picture('ask-again-german', 'window');
  await expectWellMade(opened, 'ask-again-german-page');
});
