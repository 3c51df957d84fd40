import { afterAll, expect, test } from 'vitest';
import { cors } from '../../lib/cors.ts';
import { ageAll, factorProject } from '../support/factors.ts';
import { startStandIn } from '../support/provider-stand-in.ts';
import { cancels, setSecret } from '../support/providers.ts';
import { goodPassword } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import { allow, press, says } from './hosted-stage.ts';
import { isIn, serveReactExample } from './react-stage.ts';

/** The React components for linked provider accounts and sessions. */
const world = await startWorld({ cors: { ...cors, origins: ['*'] } });
const [hub, github] = await Promise.all([startStandIn('oidc'), startStandIn('github')]);
afterAll(() => Promise.all([hub.close(), github.close()]));

const people = await factorProject(world, { hosted_pages: true, recent_sign_in: true });
const origin = await serveReactExample({
  url: world.url,
  projectId: people.project_id,
  methods: 'password,code,provider',
});
await world.operate({
  ...{ action: 'update', project_id: people.project_id },
  sign_in_providers: { examplehub: hub.settings, github: github.settings },
  return_urls: [`${origin}/`],
});
await setSecret(world, people, hub, { name: 'examplehub' });
await setSecret(world, people, github);
const { open } = useBrowser();

/** Enters a password in the form with that name, and submits it. */
async function sendPassword({ page }: Opened, name: string, password = goodPassword) {
  const form = page.getByRole('form', { name, exact: true });
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByRole('button', { name, exact: true }).click();
}
const linkHub = 'Link Examplehub';
let number = 0;
/** An address that no other test or retry uses, and a user with it at the provider. */
function newEmail(name: string): string {
  number += 1;
  const email = `${name}${number}@example.com`;
  hub.is({ sub: `${name}${number}`, email, email_verified: true });
  return email;
}

/** Opens the account page as a user who has signed in with a password. */
async function onAccount(opened: Opened, email: string): Promise<void> {
  await opened.page.goto(origin);
  await opened.page.getByLabel('E-mail', { exact: true }).fill(email);
  await sendPassword(opened, 'Sign in');
  await opened.page.getByRole('button', { name: linkHub }).waitFor();
}

/** The linked providers. */
async function linkedOf({ page }: Opened): Promise<string[]> {
  const region = page.getByRole('region', { name: 'Linked accounts' });
  return (await region.locator('summary').allTextContents()).toSorted();
}

test('a user links an account with their password, and unlinks it', async () => {
  const email = newEmail('ada');
  const { uid } = await people.signUp(email);
  const opened = await open();
  await onAccount(opened, email);
  await expectWellMade(opened, 'react-linked-accounts');
  await press(opened, linkHub);
  // The service requires the password.
  allow(opened, '400');
  await says(opened, 'enter the password that you have here, not that of Examplehub');
  expect(opened.page.url()).toBe(`${origin}/`);
  await expectWellMade(opened, 'react-link-password');
  await sendPassword(opened, linkHub, 'not her password');
  await says(opened, 'The password is wrong.');
  allow(opened, '401');
  await sendPassword(opened, linkHub);
  await says(opened, 'Examplehub is linked.');
  await expect.poll(() => linkedOf(opened)).toEqual(['Examplehub']);
  expect(await opened.page.getByRole('button', { name: linkHub }).count()).toBe(0);
  await expectWellMade(opened, 'react-linked');

  await opened.page.locator('summary', { hasText: 'Examplehub' }).click();
  await sendPassword(opened, 'Unlink Examplehub');
  await says(opened, 'Examplehub is no longer linked.');
  expect(await linkedOf(opened)).toEqual([]);
  const { body } = await world.call('GET', `/users/${uid}`, people.project.basic);
  expect(body).not.toHaveProperty('sign_in_methods.examplehub');
});

test('the profile has the linked accounts between its other parts', async () => {
  const email = newEmail('profile');
  await people.signUp(email);
  const opened = await open();
  await onAccount(opened, email);
  await press(opened, linkHub);
  allow(opened, '400');
  await sendPassword(opened, linkHub);
  await says(opened, 'Examplehub is linked.');
  await opened.page.goto(`${origin}/profile`);
  await says(opened, 'This browser');
  const headings = await opened.page.getByRole('heading', { level: 2 }).allTextContents();
  expect(headings.slice(-3)).toEqual([
    'Authenticator app',
    'Linked accounts',
    'Where you are signed in',
  ]);
  await expectWellMade(opened, 'react-profile-linked');
  await opened.page.locator('summary', { hasText: 'Examplehub' }).click();
  await sendPassword(opened, 'Unlink Examplehub');
  await says(opened, 'Examplehub is no longer linked.');
  expect(await linkedOf(opened)).toEqual([]);
});

test('a user ends another session', async () => {
  const email = newEmail('sessions');
  const elsewhere = await people.signUp(email);
  const opened = await open();
  await onAccount(opened, email);
  await opened.page.goto(`${origin}/account`);
  const region = opened.page.getByRole('region', { name: 'Where you are signed in' });
  await region.getByText('This browser').waitFor();
  await region.getByText(/, Linux$/).waitFor();
  await expectWellMade(opened, 'react-sessions');
  expect(await region.getByRole('listitem').count()).toBe(2);
  await region.getByRole('button', { name: /^End the session: / }).click();
  await region.getByText(/^Ended: /).waitFor();
  expect(await region.getByRole('listitem').count()).toBe(1);
  expect(await region.getByRole('button').count()).toBe(0);
  const { status } = await world.call('GET', '/users/me', elsewhere.bearer);
  expect(status).toBe(401);
});

test('a user who cancels at the provider sees a message, needs no password, and can try again', async () => {
  const email = newEmail('back');
  await people.signUp(email);
  const opened = await open();
  await onAccount(opened, email);
  hub.behave(cancels);
  await press(opened, linkHub);
  await says(opened, 'No account at Examplehub was linked.');
  const form = opened.page.getByRole('form', { name: linkHub });
  expect(await form.count()).toBe(0);
  hub.behave();
  await press(opened, linkHub);
  await form.getByRole('button', { name: linkHub }).click();
  allow(opened, '400');
  await says(opened, 'Enter your password.');
  await press(opened, 'Cancel');
  await opened.page.getByRole('button', { name: linkHub }).waitFor();
  expect(await linkedOf(opened)).toEqual([]);
});

test('an account of another user is not linked, with a message', async () => {
  newEmail('taken');
  const other = await open();
  await other.page.goto(origin);
  await press(other, 'Continue with Examplehub');
  await isIn(other);

  await people.signUp('owner@example.com');
  const opened = await open();
  await onAccount(opened, 'owner@example.com');
  await press(opened, linkHub);
  allow(opened, '400', '409');
  await sendPassword(opened, linkHub);
  await says(opened, 'This account is linked to somebody else here');
  expect(await linkedOf(opened)).toEqual([]);
});

test('a user without a recent sign-in must reauthenticate first', async () => {
  const email = newEmail('old');
  const person = await people.signUp(email);
  const opened = await open();
  await onAccount(opened, email);
  await ageAll(world, person);
  await press(opened, linkHub);
  allow(opened, '400', '401');
  const dialog = opened.page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByLabel('Password', { exact: true }).fill(goodPassword);
  await dialog.getByRole('button', { name: 'Go on', exact: true }).click();
  await sendPassword(opened, linkHub);
  await says(opened, 'Examplehub is linked.');
  expect(await linkedOf(opened)).toEqual(['Examplehub']);
});

test('a user without a password links and unlinks without one', async () => {
  newEmail('free');
  const email = `hub${number}@example.com`;
  const emails = [{ email, primary: true, verified: true }];
  github.is({ id: number, login: `free${number}`, name: 'Free', emails });
  const opened = await open();
  await opened.page.goto(origin);
  await press(opened, 'Continue with GitHub');
  await press(opened, linkHub);
  await says(opened, 'Examplehub is linked.');
  await expect.poll(() => linkedOf(opened)).toEqual(['Examplehub', 'GitHub']);
  // No other action is in progress, so the message gets the focus.
  expect(await opened.page.evaluate('document.activeElement.role')).toBe('status');
  await opened.page.locator('summary', { hasText: 'GitHub' }).click();
  await press(opened, 'Unlink GitHub');
  await says(opened, 'GitHub is no longer linked.');
  expect(await linkedOf(opened)).toEqual(['Examplehub']);
});

test('after a network failure a retry works, and gets the response of a link that was made', async () => {
  const email = newEmail('lost');
  await people.signUp(email);
  const opened = await open();
  await onAccount(opened, email);
  const path = '**/users/me/identities';
  opened.allowed.push('net::ERR_FAILED');
  await opened.page.route(path, (route) => route.abort());
  await press(opened, linkHub);
  const again = opened.page.getByRole('button', { name: 'Try again' });
  await again.click();
  await expect.poll(() => again.getAttribute('aria-disabled')).toBeNull();
  expect(await opened.page.evaluate('document.activeElement.textContent')).toBe('Try again');
  allow(opened, '400');
  await opened.page.unroute(path);
  await again.click();
  // The button is gone, and the field that replaces it has the focus.
  await says(opened, 'enter the password that you have here');
  expect(await opened.page.evaluate('document.activeElement.name')).toBe('password');
  // The service links the account, but the response is lost.
  await opened.page.route(path, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await sendPassword(opened, linkHub);
  await opened.page.getByRole('form', { name: linkHub }).getByRole('alert').waitFor();
  await opened.page.unroute(path);
  await sendPassword(opened, linkHub);
  await says(opened, 'Examplehub is linked.');
  expect(await linkedOf(opened)).toEqual(['Examplehub']);
});
