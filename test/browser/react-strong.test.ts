import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { cors } from '../../lib/cors.ts';
import { ageAll, factorProject, newApp } from '../support/factors.ts';
import { goodPassword } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { withAuthenticator } from './authenticator.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import { field, press, says } from './hosted-stage.ts';
import { isIn, serveReactExample } from './react-stage.ts';

/** The React components for mailed links, passkeys, the second factor of an account and the reauthentication dialog. */
const world = await startWorld({ cors: { ...cors, origins: ['*'] } });
const people = await factorProject(world, { hosted_pages: true, recent_sign_in: true });
const methods = 'password,code,link,passkey';
const served = await serveReactExample({ url: world.url, projectId: people.project_id, methods });
// An IP address cannot be a relying party ID.
const origin = served.replace('127.0.0.1', 'localhost');
await world.operate({
  ...{ action: 'update', project_id: people.project_id },
  ...{ passkeys: true, rp_id: 'localhost', origins: [origin] },
});
const strict = await factorProject(world, { mfa: 'required' });
const strictOrigin = await serveReactExample({ url: world.url, projectId: strict.project_id });
const { open } = useBrowser();

let number = 0;
/** An address that no other test or retry uses. */
const newEmail = (name: string) => `${name}${(number += 1)}@example.com`;

async function byPassword(opened: Opened, email: string, at = origin): Promise<void> {
  await opened.page.goto(at);
  if (at !== origin) await press(opened, 'Use a password');
  await field(opened, 'E-mail').fill(email);
  await field(opened, 'Password').fill(goodPassword);
  await press(opened, 'Sign in');
}

async function linkTo(email: string): Promise<string> {
  const mail = await people.mailTo(email);
  const [fragment = ''] = /#\S*token=\S*/.exec(mail?.text ?? '') ?? [];
  return `${origin}/${fragment}`;
}

/** Signs in with an authenticator present, and opens the passkeys of the account. */
async function onPasskeys(opened: Opened, email: string) {
  const { picks } = await withAuthenticator(opened);
  await byPassword(opened, email);
  await isIn(opened);
  await opened.page.goto(`${origin}/account`);
  return { picks, section: opened.page.getByRole('region', { name: 'Passkeys' }) };
}

test('a deleted passkey picked in the autofill is reported as unknown, and the button requests one passkey', async () => {
  const email = newEmail('unknown');
  const person = await people.signUp(email);
  const opened = await open();
  const { page, problems } = opened;
  const { picks, section } = await onPasskeys(opened, email);
  await section.getByLabel('Password').fill(goodPassword);
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await says(opened, 'The passkey is added.');
  const { passkeys } = world.as(person);
  const [{ passkey_id = '' } = {}] = (await passkeys.list()).body.result;
  await passkeys.delete({ passkey_id, current_password: goodPassword });
  // This tab does not know it yet.
  await section.locator('summary').click();
  const remove = section.getByRole('form', { name: 'Delete this passkey' });
  await remove.getByLabel('Password').fill(goodPassword);
  await remove.getByRole('button').click();
  await says(opened, 'You have no passkey.');
  await picks(false);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await press(opened, 'Sign out');
  await page.getByLabel('E-mail').waitFor();
  // Ends the request of this page, which would pick the passkey just before the next page asks.
  await page.goto('about:blank');

  let optionsRequests = 0;
  await page.route(/\/sessions\/passkey(?:\/options)?$/, async (route) => {
    if (route.request().url().endsWith('/options')) optionsRequests += 1;
    // Picks one passkey, and not the next one right away.
    else await picks(false);
    await route.continue();
  });
  await picks(true);
  await page.goto(origin);
  await says(opened, 'This passkey is not known here. Use another one.');
  // Autofill waits again.
  await expect.poll(() => optionsRequests).toBe(2);
  await page.getByRole('button', { name: 'Use a passkey' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect.poll(() => optionsRequests).toBe(3);
  await page.waitForTimeout(700);
  expect(optionsRequests).toBe(3);
  expect(await page.getByRole('alert').count()).toBe(0);
  for (const problem of problems.splice(0)) expect(problem).toMatch(/40[14]/);
});

test('a list of passkeys that arrives late does not clear the form that was filled in meanwhile', async () => {
  const email = newEmail('late');
  await people.signUp(email);
  const opened = await open();
  const { page } = opened;
  const typed = Promise.withResolvers<void>();
  await page.route('**/users/me/passkeys', async (route) => {
    await typed.promise;
    await route.continue();
  });
  const { picks, section } = await onPasskeys(opened, email);
  await picks(true);
  await section.getByLabel('Name of the passkey').fill('Phone');
  await section.getByLabel('Password').fill(goodPassword);
  typed.resolve();
  await says(opened, 'You have no passkey.');
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await says(opened, 'The passkey is added.');
  await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('status');
  await section.locator('summary', { hasText: 'Phone' }).waitFor();
});

test('SignIn by a mailed link: in the same browser, and with its code from another', async () => {
  const email = newEmail('link');
  const opened = await open();
  await opened.page.goto(origin);
  await press(opened, 'Use a link by e-mail');
  await expectWellMade(opened, 'react-link');
  await field(opened, 'E-mail').fill(email);
  await press(opened, 'Send me a link');
  await says(opened, `We have sent a link to ${email}.`);
  await expectWellMade(opened, 'react-link-sent');
  const link = await linkTo(email);
  const phone = await open();
  await phone.page.goto(link);
  await says(phone, 'This browser has not asked for this link.');
  expect(phone.page.url()).not.toContain('token');
  await phone.page.reload();
  await says(phone, 'This browser has not asked for this link.');
  await expectWellMade(phone, 'react-link-elsewhere');
  await press(phone, 'Show the code');
  await says(phone, 'Tell it to nobody');
  const code = await phone.page.locator('[data-part=code]').innerText();
  expect(await phone.page.evaluate('document.activeElement.textContent')).toBe(code);
  await expectWellMade(phone, 'react-link-code');
  await phone.page.reload();
  await press(phone, 'Show the code');
  await says(phone, code);
  await field(opened, 'Code of the link').fill(code);
  await press(opened, 'Sign in');
  await isIn(opened);
  // The code is now used, also after a reload.
  await phone.page.reload();
  await press(phone, 'Show the code');
  await says(phone, 'The link was used');
  expect(phone.problems.splice(0)).toEqual([expect.stringContaining('400')]);
  await phone.page.reload();
  await phone.page.getByLabel('E-mail').waitFor();

  const again = await open();
  await again.page.goto(origin);
  await press(again, 'Use a link by e-mail');
  await field(again, 'E-mail').fill(email);
  await press(again, 'Send me a link');
  await says(again, 'We have sent a link');
  const own = await open({}, again);
  await own.page.goto(await linkTo(email));
  await says(own, 'One click is left to sign in.');
  await own.page.reload();
  await says(own, 'One click is left to sign in.');
  await expectWellMade(own, 'react-link-own');
  await press(own, 'Sign in');
  await isIn(own);
  await own.page.reload();
  await isIn(own);
  expect(await own.page.getByText('One click is left').count()).toBe(0);
  // The tab that requested it is signed in too.
  await isIn(again);
});

test('SignIn with a required app', async () => {
  const email = newEmail('required');
  await strict.signUpWithMfa(email);
  const opened = await open();
  const { page } = opened;
  await byPassword(opened, email, strictOrigin);
  await says(opened, 'You need a second factor here');
  await expectWellMade(opened, 'react-required');
  await press(opened, 'Add an app');
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  await expectWellMade(opened, 'react-required-app');
  const app = newApp((await page.locator('[data-part=secret]').innerText()).replaceAll(' ', ''));
  await field(opened, 'Code of the app').fill(app.code());
  await page.keyboard.press('Enter');
  await says(opened, 'These are your recovery codes.');
  expect(await page.evaluate('document.activeElement.textContent')).toContain('recovery codes');
  await expectWellMade(opened, 'react-required-codes');
  await press(opened, 'I have kept them');
  await isIn(opened);
});

test('SecondFactor adds an app, saves and renews its recovery codes, and removes it', async () => {
  const email = newEmail('app');
  const person = await people.signUp(email);
  const opened = await open();
  const { page, problems } = opened;
  await byPassword(opened, email);
  await isIn(opened);
  await page.goto(`${origin}/account`);
  await says(opened, 'With an app on your phone');
  await expectWellMade(opened, 'react-account');
  const section = page.getByRole('region', { name: 'Authenticator app' });
  await section.getByLabel('Password').fill('wrong');
  await section.getByRole('button', { name: 'Add an app' }).click();
  await says(opened, 'The password is wrong.');
  await section.getByLabel('Password').fill(goodPassword);
  await section.getByRole('button', { name: 'Add an app' }).click();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  await expectWellMade(opened, 'react-add-app');
  const app = newApp((await page.locator('[data-part=secret]').innerText()).replaceAll(' ', ''));
  await field(opened, 'Code of the app').fill(app.wrong());
  await press(opened, 'Confirm');
  await says(opened, 'The code is wrong or has expired. Each code works once.');
  await field(opened, 'Code of the app').fill(await app.codeBefore());
  await press(opened, 'Confirm');
  await says(opened, 'These are your recovery codes.');
  expect(await page.locator('[data-part=codes] li').count()).toBe(10);
  await expectWellMade(opened, 'react-recovery-codes');
  const first = await page.locator('[data-part=codes] li').first().innerText();
  const downloading = page.waitForEvent('download');
  await press(opened, 'Download as a file');
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('recovery-codes.txt');
  // The browser remembers download URLs, so they must not contain the codes.
  expect(file.url()).toMatch(/^blob:/);
  const codes = await page.locator('[data-part=codes] li').allInnerTexts();
  expect(await readFile(await file.path(), 'utf8')).toBe(`${codes.join('\n')}\n`);
  await press(opened, 'I have kept them');
  await says(opened, 'The app is added.');
  await says(opened, '10 recovery codes are left.');
  await page.locator('summary', { hasText: 'New recovery codes' }).click();
  await page.locator('summary', { hasText: 'Remove the app' }).click();
  await expectWellMade(opened, 'react-app');
  const renew = page.getByRole('form', { name: 'New recovery codes' });
  await renew.getByLabel('Code of the app, or a recovery code').fill(first);
  await renew.getByRole('button').click();
  await says(opened, 'These are your recovery codes.');
  expect(await page.locator('[data-part=codes] li').first().innerText()).not.toBe(first);
  await press(opened, 'I have kept them');
  await page.locator('summary', { hasText: 'Remove the app' }).click();
  const remove = page.getByRole('form', { name: 'Remove the app' });
  await remove.getByLabel('Code of the app, or a recovery code').fill(app.code());
  await remove.getByRole('button').click();
  await says(opened, 'The app is removed.');
  await says(opened, 'With an app on your phone');
  // Support removes the next ones first.
  for (const name of ['Remove the app', 'New recovery codes']) {
    await people.enrol(person, { current_password: goodPassword });
    await page.reload();
    await page.locator('summary', { hasText: name }).click();
    await world.as(people.project).factors.reset({ uid: person.uid });
    const form = page.getByRole('form', { name });
    await form.getByLabel('Code of the app, or a recovery code').fill('123456');
    await form.getByRole('button').click();
    await says(opened, 'The app is removed.');
    await says(opened, 'With an app on your phone');
  }
  const refused = problems.splice(0).map((each) => /40\d/.exec(each)?.[0]);
  expect(refused).toEqual(['401', '401', '404', '404']);
});

test('Passkeys adds, renames and deletes a passkey, which signs in by a button and by autofill', async () => {
  const email = newEmail('key');
  const person = await people.signUp(email);
  const opened = await open();
  const { page, problems } = opened;
  const { picks, section } = await onPasskeys(opened, email);
  await says(opened, 'You have no passkey.');
  await section.getByLabel('Name of the passkey').fill('Work laptop');
  await section.getByLabel('Password').fill(goodPassword);
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await says(opened, 'The passkey is added.');
  // A second one of the same device.
  await section
    .getByRole('form', { name: 'Add a passkey' })
    .getByLabel('Password')
    .fill(goodPassword);
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await says(opened, 'This device has a passkey of this account already.');
  expect(await page.getByText('The passkey is added.').count()).toBe(0);
  await section.locator('summary', { hasText: 'Work laptop' }).click();
  await expectWellMade(opened, 'react-passkeys');
  const rename = section.getByRole('form', { name: 'Rename' });
  await rename.getByLabel('Name of the passkey').fill('Phone');
  await rename.getByRole('button').click();
  await section.locator('summary', { hasText: 'Phone' }).waitFor();

  // Instead of the code of the app.
  await picks(false);
  await people.enrol(person, { current_password: goodPassword });
  await page.getByRole('button', { name: /^Account of/ }).click();
  await press(opened, 'Sign out');
  await byPassword(opened, email);
  await says(opened, 'Enter the code of your authenticator app');
  await expectWellMade(opened, 'react-mfa-passkey');
  await picks(true);
  await press(opened, 'Use a passkey');
  await isIn(opened);
  await world.call('DELETE', `/users/${person.uid}/factors`, people.project.basic);

  // With a button, while autofill waits.
  await picks(false);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await press(opened, 'Sign out');
  await page.goto(origin);
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
  await expectWellMade(opened, 'react-sign-in-passkey');
  expect(await page.getByLabel('E-mail').getAttribute('autocomplete')).toMatch(/ webauthn$/);
  await picks(true);
  await press(opened, 'Use a passkey');
  await isIn(opened);
  // With autofill, without a click.
  await page.getByRole('button', { name: /^Account of/ }).click();
  await press(opened, 'Sign out');
  await isIn(opened);

  await ageAll(world, person);
  await page.goto(`${origin}/account`);
  await section.locator('summary', { hasText: 'Phone' }).click();
  const remove = section.getByRole('form', { name: 'Delete this passkey' });
  await remove.getByLabel('Password').fill(goodPassword);
  await remove.getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByLabel('Password').waitFor();
  await expectWellMade(opened, 'react-ask-again');
  await page.keyboard.press('Escape');
  await says(opened, 'Nothing was changed, because you have not confirmed that it is you.');
  await remove.getByRole('button').click();
  await dialog.getByLabel('Password').fill('wrong');
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await says(opened, 'The password is wrong.');
  await expectWellMade(opened, 'react-ask-again-wrong');
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await says(opened, 'You have no passkey.');
  expect(await dialog.count()).toBe(0);
  expect((await world.as(person).passkeys.list()).body.total).toBe(0);
  for (const problem of problems.splice(0)) expect(problem).toContain('401');
});
