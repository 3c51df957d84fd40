import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { cors } from '../../lib/cors.ts';
import { ageAll, factorProject } from '../support/factors.ts';
import { goodPassword } from '../support/sign-in.ts';
import { type Person, startWorld } from '../support/world.ts';
import { withAuthenticator } from './authenticator.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import { long, word } from './hard-texts.ts';
import { allow, field, press, says } from './hosted-stage.ts';
import { isIn, serveReactExample } from './react-stage.ts';

/** The React component `UserProfile`. */
const world = await startWorld({ cors: { ...cors, origins: ['*'] } });
const people = await factorProject(world, { hosted_pages: true, recent_sign_in: true });
const served = await serveReactExample({
  ...{ url: world.url, projectId: people.project_id, methods: 'password,code' },
});
// An IP address cannot be a relying party ID.
const origin = served.replace('127.0.0.1', 'localhost');
await world.operate({
  ...{ action: 'update', project_id: people.project_id },
  ...{ passkeys: true, rp_id: 'localhost', origins: [origin] },
});
const { open } = useBrowser();

let number = 0;
/** An address that no other test or retry uses. */
const newEmail = (name: string) => `${name}${(number += 1)}@example.com`;
const region = ({ page }: Opened, name: string) => page.getByRole('region', { name, exact: true });
const current = async (person: Person) => (await world.as(person).users.getMe()).body;

/** Comes back to the page, which Chromium does not notice without a window. */
const look = ({ page }: Opened) => page.evaluate(`dispatchEvent(new Event('focus'))`);

/** Opens the mailed link in another tab, as the same user, and comes back. */
async function confirm(opened: Opened, token: string): Promise<void> {
  const bearer = await opened.page.evaluate(
    `'Bearer ' + JSON.parse(Object.values(sessionStorage)[0]).access_token`,
  );
  await world.as({ bearer: String(bearer) }).emails.confirm({ token });
  await look(opened);
}

/** Opens the profile as a user who signs in with a password. */
async function onProfile(opened: Opened, email: string, at = origin): Promise<void> {
  await opened.page.goto(at);
  await field(opened, 'E-mail').fill(email);
  await field(opened, 'Password').fill(goodPassword);
  await press(opened, 'Sign in');
  await isIn(opened);
  await opened.page.goto(`${at}/profile`);
  await says(opened, 'This browser');
}

test('the profile passes the checks, and nothing moves while it loads', async () => {
  const person = await people.signUp(long.email, goodPassword, { display_name: word });
  const opened = await open();
  await withAuthenticator(opened);
  await opened.page.addInitScript(`window.moved = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.moved += value;
    }).observe({ type: 'layout-shift', buffered: true });`);
  // All parts are in the window, and one list comes after the others.
  await opened.page.setViewportSize({ width: 1440, height: 2_400 });
  await opened.page.route('**/users/me/factors', async (route) => {
    await opened.page.waitForTimeout(500);
    await route.continue();
  });
  await onProfile(opened, person.email);
  await says(opened, 'With an app on your phone');
  expect(await opened.page.evaluate('window.moved')).toBe(0);
  await opened.page.setViewportSize({ width: 1440, height: 900 });
  await expectWellMade(opened, 'react-profile');
  for (const name of ['Change your e-mail', 'Change your password'])
    await opened.page.locator('summary', { hasText: name }).click();
  await expectWellMade(opened, 'react-profile-open');
});

test('a changed name is saved and shown, and one that was changed elsewhere is not overwritten', async () => {
  const person = await people.signUp(newEmail('name'));
  const api = world.as(person);
  const opened = await open({ width: 390 });
  await onProfile(opened, person.email);
  const profile = region(opened, 'Profile');
  await field(opened, 'Display name').fill('Ada');
  await press(opened, 'Save');
  await profile.getByText('Saved.').waitFor();
  // The session has the new name too.
  await opened.page.getByRole('button', { name: 'Account of Ada' }).waitFor();

  await api.users.update({ uid: person.uid, display_name: 'A. Lovelace', about_me: 'Other' });
  await field(opened, 'Given name').fill('Augusta');
  await press(opened, 'Save');
  await profile.getByText('Your profile was changed elsewhere meanwhile').waitFor();
  expect(await current(person)).toMatchObject({
    ...{ display_name: 'A. Lovelace', name: { given_name: '' } },
  });
  expect(await field(opened, 'Display name').inputValue()).toBe('A. Lovelace');
  expect(await field(opened, 'Given name').inputValue()).toBe('Augusta');
  expect(await opened.page.evaluate('document.activeElement.role')).toBe('status');
  await expectWellMade(opened, 'react-profile-elsewhere');

  // Another change comes between the read and the write; it is about no field of the form.
  const write = async (route: Route) => {
    await api.users.update({ uid: person.uid, about_me: 'A third' });
    await route.continue();
  };
  await opened.page.route(`**/users/${person.uid}`, write, { times: 1 });
  await press(opened, 'Save');
  await profile.getByText('Saved.').waitFor();
  expect(await current(person)).toMatchObject({
    ...{ display_name: 'A. Lovelace', name: { given_name: 'Augusta' }, about_me: 'A third' },
  });
  allow(opened, '412');

  // An invalid name is marked at its field.
  await field(opened, 'Family name').fill('Love\u202Elace');
  await press(opened, 'Save');
  await profile.getByText('Something that you entered is not valid.').waitFor();
  expect(await field(opened, 'Family name').getAttribute('aria-invalid')).toBe('true');
  expect(await opened.page.evaluate('document.activeElement.name')).toBe('family_name');
  allow(opened, '400');
});

test('a name whose answer was lost is saved once the network is back', async () => {
  const person = await people.signUp(newEmail('offline'));
  const opened = await open();
  await onProfile(opened, person.email);
  const profile = region(opened, 'Profile');
  opened.allowed.push('net::ERR_FAILED', 'net::ERR_INTERNET_DISCONNECTED');
  const user = `**/users/${person.uid}`;
  await opened.page.route(user, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await field(opened, 'Display name').fill('Grace');
  await press(opened, 'Save');
  await profile.getByText('The service cannot be reached. Are you online?').waitFor();
  expect((await current(person)).display_name).toBe('Grace');
  await opened.page.unroute(user);
  // What this form has saved itself was not changed elsewhere.
  await press(opened, 'Save');
  await profile.getByText('Saved.').waitFor();

  await opened.context.setOffline(true);
  await field(opened, 'Display name').fill('Hopper');
  await press(opened, 'Save');
  await profile.getByText('The service cannot be reached. Are you online?').waitFor();
  expect(await field(opened, 'Display name').inputValue()).toBe('Hopper');
  await opened.context.setOffline(false);
  await press(opened, 'Save');
  await profile.getByText('Saved.').waitFor();
  expect((await current(person)).display_name).toBe('Hopper');
});

test('a sign-out in another tab, or an ended session, closes the profile', async () => {
  const person = await people.signUp(newEmail('out'));
  const opened = await open();
  await onProfile(opened, person.email);
  await field(opened, 'Display name').fill('Too late');
  await world.as(person).sessions.endAll();
  await press(opened, 'Save');
  await region(opened, 'Profile').waitFor({ state: 'detached' });
  allow(opened, '401');
  await opened.page.goto(origin);
  await onProfile(opened, person.email);
  const other = await open({}, opened);
  await other.page.goto(origin);
  await other.page.getByRole('button', { name: /^Account of/ }).click();
  await press(other, 'Sign out');
  await region(opened, 'Profile').waitFor({ state: 'detached' });
  expect((await people.signIn(person.email)).user.display_name).toBe('');
});

test('a new e-mail stays pending until its link is opened, and then shows', async () => {
  const person = await people.signUp(newEmail('mail'));
  const to = newEmail('new');
  const opened = await open({ width: 390 });
  const { page } = opened;
  await onProfile(opened, person.email);
  const part = region(opened, 'E-mail');
  await part.getByText(`${person.email} (verified)`).waitFor();
  await part.locator('summary').click();
  const send = part.getByRole('button', { name: 'Send me a link' });
  await send.click();
  await part.getByText('Enter your e-mail address.').waitFor();
  await part.getByLabel('New e-mail').fill(to);
  await part.getByLabel('Password').fill('not the password');
  await send.click();
  await part.getByText('The password is wrong.').waitFor();
  allow(opened, '401');
  // The mail is sent, but the answer is lost: another try sends no second one.
  opened.allowed.push('net::ERR_FAILED');
  await page.route('**/users/me/email', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await part.getByLabel('Password').fill(goodPassword);
  await send.click();
  await part.getByText('The service cannot be reached.').waitFor();
  await page.unroute('**/users/me/email');
  await send.click();
  await part.getByText(`Until then your e-mail stays ${person.email}.`).waitFor();
  expect(await part.getByLabel('New e-mail').inputValue()).toBe('');
  await expectWellMade(opened, 'react-profile-email');
  const token = await people.mailed(to);
  expect(await people.subjectsTo(to)).toHaveLength(1);
  expect((await current(person)).email).toBe(person.email);
  // A look at the page changes nothing before the link is opened.
  const answered = page.waitForResponse('**/users/me');
  await look(opened);
  await answered;
  await part.getByText(`Until then your e-mail stays ${person.email}.`).waitFor();
  await confirm(opened, token);
  await part.getByText(`${to} is confirmed.`).waitFor();
  await part.getByText(`${to} (verified)`).waitFor();
  // So does the session of the page.
  await page.getByRole('button', { name: `Account of ${to}` }).waitFor();
});

test('an e-mail that is not verified gets a link, and shows once it is', async () => {
  const person = await people.signUp(newEmail('bob'));
  const opened = await open();
  const { page } = opened;
  await onProfile(opened, person.email);
  const email = newEmail('bobby');
  await world.as(people.project).users.update({ uid: person.uid, email });
  await page.reload();
  const part = region(opened, 'E-mail');
  await part.getByText(`${email} (not verified)`).waitFor();
  await expectWellMade(opened, 'react-profile-unverified');
  opened.allowed.push('net::ERR_CONNECTION_RESET');
  await page.route('**/email/verification', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  const verify = part.getByRole('button', { name: 'Verify your e-mail' });
  await verify.click();
  await part.getByText('The service cannot be reached.').waitFor();
  await page.unroute('**/email/verification');
  await verify.click();
  await part.getByText(`We have sent a link to ${email}.`).waitFor();
  expect(await people.subjectsTo(email)).toHaveLength(1);
  await confirm(opened, await people.mailed(email));
  await part.getByText(`${email} is confirmed.`).waitFor();
  expect(await verify.count()).toBe(0);
});

test('a changed password ends the other sessions; a bad one is refused at its field', async () => {
  const person = await people.signUp(newEmail('pass'));
  const opened = await open();
  const { page } = opened;
  await onProfile(opened, person.email);
  const part = region(opened, 'Password');
  const sessions = region(opened, 'Where you are signed in').getByRole('listitem');
  await expect.poll(() => sessions.count()).toBe(2);
  await part.locator('summary').click();
  const send = part.getByRole('button', { name: 'Change your password' });
  const enter = async (old: string, password: string) => {
    await part.getByLabel('Current password').fill(old);
    await part.getByLabel('New password, at least 15 characters').fill(password);
    await send.click();
  };
  await send.click();
  await part.getByText('Enter your password.').waitFor();
  expect(await page.evaluate('document.activeElement.name')).toBe('password');
  await enter(goodPassword, 'short');
  await part.getByText('Too short, too common, or too much like your e-mail.').waitFor();
  expect(await page.evaluate('document.activeElement.name')).toBe('new_password');
  await enter('not the password', 'a staple of correct batteries');
  await part.getByText('The password is wrong.').waitFor();
  expect(await page.evaluate('document.activeElement.name')).toBe('password');
  await expectWellMade(opened, 'react-profile-password');
  allow(opened, '400', '401');
  // It is changed, but the answer is lost: another try gets it, and no refusal of the old password.
  opened.allowed.push('net::ERR_FAILED');
  await page.route('**/users/me/password', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await enter(goodPassword, 'a staple of correct batteries');
  await part.getByText('The service cannot be reached.').waitFor();
  await page.unroute('**/users/me/password');
  await send.click();
  await part.getByText('Your password is changed.').waitFor();
  expect(await part.getByLabel('Current password').inputValue()).toBe('');
  expect(await sessions.count()).toBe(1);
  await people.signIn(person.email, 'a staple of correct batteries');
});

test('a change that requires a recent sign-in asks for it, and then goes on', async () => {
  const person = await people.signUp(newEmail('old'));
  const to = newEmail('fresh');
  const opened = await open();
  await onProfile(opened, person.email);
  await ageAll(world, person);
  const part = region(opened, 'E-mail');
  await part.locator('summary').click();
  await part.getByLabel('New e-mail').fill(to);
  await part.getByLabel('Password').fill(goodPassword);
  await part.getByRole('button', { name: 'Send me a link' }).click();
  const dialog = opened.page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByLabel('Password').waitFor();
  allow(opened, '401');
  await opened.page.keyboard.press('Escape');
  await part.getByText('Nothing was changed, because you have not confirmed').waitFor();
  expect(await people.subjectsTo(to)).toEqual([]);
  await part.getByRole('button', { name: 'Send me a link' }).click();
  await dialog.getByLabel('Password').fill(goodPassword);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await part.getByText(`We have sent a link to ${to}.`).waitFor();
  expect(await people.subjectsTo(to)).toHaveLength(1);
});
