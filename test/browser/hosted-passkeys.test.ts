import { expect, test } from 'vitest';
import { keys } from '../../shared/db/keys.ts';
import { ageAll } from '../support/factors.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { withAuthenticator } from './authenticator.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import { allow, follow, heading, press, says, startHostedStage, visit } from './hosted-stage.ts';

/** Passkeys on the hosted pages, with a virtual authenticator of Chromium. */
const stage = await startHostedStage();
const { world, people, signIn } = stage;
const { open } = useBrowser();

// An IP address cannot be a relying party ID.
const { port } = new URL(world.url);
const origin = `http://localhost:${port}`;
await world.operate({
  ...{ action: 'update', project_id: people.project_id },
  ...{ passkeys: true, rp_id: 'localhost', origins: [origin] },
});
const at = (name: 'account' | 'sign-in') => stage.at(name).replace(world.url, origin);

const notKnown = 'This passkey is not known here. Use another one.';

/** Signs in with the password and adds a passkey in the account. */
async function enrol(opened: Opened, email: string, account = at('account')): Promise<void> {
  await visit(opened, account);
  await heading(opened, 'Sign in');
  await signIn(opened, email);
  await heading(opened, 'Account');
  allow(opened, '401');
  const section = opened.page.getByRole('region', { name: 'Passkeys' });
  await section.getByLabel('Name').fill('Work laptop');
  await section.getByLabel('Password').fill(goodPassword);
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await says(opened, 'Work laptop');
}

/** Signs out; the authenticator is not notified. */
async function signOut(opened: Opened): Promise<void> {
  await follow(opened, 'Sign out');
  await press(opened, 'Sign out');
  await says(opened, 'You are signed out of this browser.');
  allow(opened, '401');
}

/** Opens the sign-in page in a browser without passkey autofill, and signs in with the button. */
async function useButton(opened: Opened): Promise<void> {
  await opened.page.addInitScript(
    'PublicKeyCredential.isConditionalMediationAvailable = async () => false;',
  );
  await visit(opened, at('sign-in'));
  await heading(opened, 'Sign in');
  await press(opened, 'Use a passkey');
}

test('a passkey added in the account signs in without an e-mail, is renamed and deleted', async () => {
  const ada = await people.signUp('ada@example.com');
  const opened = await open({ width: 390 });
  const { page } = opened;
  const { credentials } = await withAuthenticator(opened);
  await enrol(opened, 'ada@example.com');
  const [credential] = await credentials();
  expect(credential).toMatchObject({ rpId: 'localhost', isResidentCredential: true });

  await signOut(opened);
  await useButton(opened);
  await heading(opened, 'Account');
  await says(opened, 'ada@example.com');
  const { body } = await world.as(ada).passkeys.list();
  expect(body.result).toMatchObject([{ name: 'Work laptop', last_used_at: expect.any(String) }]);
  allow(opened, '401');

  await page.locator('summary', { hasText: 'Work laptop' }).click();
  const row = page.locator('details', { hasText: 'Work laptop' });
  await row.getByLabel('Name').fill('Phone');
  await row.getByRole('button', { name: 'Rename' }).click();
  await says(opened, 'Phone');
  if ((await page.locator('details[open]', { hasText: 'Phone' }).count()) === 0)
    await page.locator('summary', { hasText: 'Phone' }).click();
  const renamed = page.locator('details', { hasText: 'Phone' });
  await renamed.getByLabel('Password').fill(goodPassword);
  await renamed.getByRole('button', { name: 'Delete this passkey' }).click();
  await says(opened, 'You have no passkey.');
  expect((await world.as(ada).passkeys.list()).body.total).toBe(0);

  await signOut(opened);
  await useButton(opened);
  await says(opened, notKnown);
  allow(opened, '401');
});

test('a passkey picked in the autofill signs in without a click; the page waits until then', async () => {
  const dora = await people.signUp('dora@example.com');
  const opened = await open({ width: 390 });
  const { picks } = await withAuthenticator(opened);
  await enrol(opened, 'dora@example.com');
  await signOut(opened);
  await picks(false);
  const optionsResponse = opened.page.waitForResponse((response) =>
    response.url().endsWith('/sessions/passkey/options'),
  );
  await visit(opened, at('sign-in'));
  await optionsResponse;
  const field = opened.page.getByLabel('E-mail');
  expect(await field.getAttribute('autocomplete')).toMatch(/ webauthn$/);
  await heading(opened, 'Sign in');
  expect((await world.as(dora).passkeys.list()).body.result[0]).not.toHaveProperty('last_used_at');

  await picks(true);
  await visit(opened, at('sign-in'));
  await heading(opened, 'Account');
  await says(opened, 'dora@example.com');
  const { body } = await world.as(dora).passkeys.list();
  expect(body.result).toMatchObject([{ last_used_at: expect.any(String) }]);
  allow(opened, '401');
});

/** Counts the page's requests for WebAuthn options from now on. */
function countOptionsRequests({ page }: Opened): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/sessions/passkey/options')) count += 1;
  });
  return () => count;
}

test('after a refused or failed sign-in by autofill the page says so, and waits again', async () => {
  const fred = await people.signUp('fred@example.com');
  const opened = await open({ width: 390 });
  const { page } = opened;
  const { picks } = await withAuthenticator(opened);
  await enrol(opened, 'fred@example.com');
  await signOut(opened);
  opened.allowed.push('net::ERR_FAILED');
  let isReached = false;
  await page.route('**/sessions/passkey', async (route) => {
    // Picks one passkey, and not the next one right away.
    await picks(false);
    await (isReached ? route.continue() : route.abort());
  });
  await visit(opened, at('sign-in'));
  await says(opened, 'The service cannot be reached. Are you online?');
  isReached = true;

  const [{ passkey_id = '' } = {}] = (await world.as(fred).passkeys.list()).body.result;
  await world.as(fred).passkeys.delete({ passkey_id, current_password: goodPassword });
  await picks(true);
  const requests = countOptionsRequests(opened);
  await visit(opened, at('sign-in'));
  await says(opened, notKnown);
  await expect.poll(requests).toBe(2);
});

test('pressing the button twice requests one passkey', async () => {
  const opened = await open({ width: 390 });
  const { page } = opened;
  const { picks } = await withAuthenticator(opened);
  await picks(false);
  const requests = countOptionsRequests(opened);
  await visit(opened, at('sign-in'));
  await expect.poll(requests).toBe(1);
  const button = page.getByRole('button', { name: 'Use a passkey' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect.poll(requests).toBe(2);
  // The time after which the page offers autofill again.
  await page.waitForTimeout(700);
  expect(requests()).toBe(2);
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await button.getAttribute('aria-busy')).toBe('true');
  allow(opened, '401');
});

test('the reauthentication dialog reports a deleted passkey as unknown', async () => {
  const strict = await signInProject(world, {
    ...{ hosted_pages: true, passkeys: true, recent_sign_in: true },
    ...{ rp_id: 'localhost', origins: [origin] },
  });
  const email = 'gwen@example.com';
  const gwen = await strict.signUp(email);
  const opened = await open({ width: 390 });
  await withAuthenticator(opened);
  await enrol(opened, email, at('account').replace(people.project_id, strict.project_id));
  await ageAll(world, gwen);
  const section = opened.page.getByRole('region', { name: 'Passkeys' });
  await section.getByLabel('Password').last().fill(goodPassword);
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = opened.page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.waitFor();
  const { passkeys } = world.as(await strict.signIn(email));
  const [{ passkey_id = '' } = {}] = (await passkeys.list()).body.result;
  await passkeys.delete({ passkey_id, current_password: goodPassword });
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await dialog.getByText(notKnown).waitFor();
  expect(await dialog.getByRole('alert').innerText()).toBe(notKnown);
  expect((await passkeys.list()).body.total).toBe(0);
});

test('a user without user verification is not signed in, and sees a message', async () => {
  const bob = await people.signUp('bob@example.com');
  const opened = await open({ width: 390 });
  const { verifies } = await withAuthenticator(opened);
  await enrol(opened, 'bob@example.com');
  await signOut(opened);
  await verifies(false);
  await useButton(opened);
  await says(opened, 'No passkey was used.');
  expect((await world.as(bob).passkeys.list()).body.result[0]).not.toHaveProperty('last_used_at');
  allow(opened, '401');
});

test('an origin that the project does not list is refused', async () => {
  const other = await signInProject(world, {
    ...{ hosted_pages: true, passkeys: true },
    ...{ rp_id: 'localhost', origins: ['http://localhost:1'] },
  });
  const carl = await other.signUp('carl@example.com');
  const opened = await open({ width: 390 });
  await withAuthenticator(opened);
  await visit(opened, at('account').replace(people.project_id, other.project_id));
  await signIn(opened, 'carl@example.com');
  const section = opened.page.getByRole('region', { name: 'Passkeys' });
  await section.getByLabel('Password').fill(goodPassword);
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await says(opened, 'The passkey could not be checked.');
  expect((await world.as(carl).passkeys.list()).body.total).toBe(0);
  allow(opened, '400', '401');
});

test('the passkeys pass the checks in every view', async () => {
  const email = 'eve@example.com';
  const eve = await people.signUp(email);
  const opened = await open();
  const { picks } = await withAuthenticator(opened);
  await enrol(opened, email);
  // A passkey with a name of the maximum length and the warning that it may have been copied.
  const [{ passkey_id = '' } = {}] = (await world.as(eve).passkeys.list()).body.result;
  const name = 'A key with quite a name '.repeat(5).trim();
  await world.table.update(keys.passkey(eve.uid, passkey_id), { name, counter_decreased: true });
  await visit(opened, at('account'));
  await opened.page.locator('summary', { hasText: name }).click();
  await expectWellMade(opened, 'account-passkeys');
  await signOut(opened);
  // Otherwise autofill would sign in during the screenshots.
  await picks(false);
  await visit(opened, at('sign-in'));
  await expectWellMade(opened, 'sign-in-passkey');
  allow(opened, '401');
});
