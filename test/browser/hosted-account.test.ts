import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
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

/** Account page features that the journeys do not cover. */
const { world, people, at, linkTo, enterAs, arrive } = await startHostedStage();
const { open } = useBrowser();

/** Browsers that read a file only after the click have no file where its address has ended by then. */
const endAddressLate = `
  const { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = function () {
    click.call(this);
    const end = URL.revokeObjectURL;
    URL.revokeObjectURL = () => { throw new Error('The file has not been read.'); };
    setTimeout(() => (URL.revokeObjectURL = end));
  };`;

test('the export is one file with all data of the user, named after them', async () => {
  const ada = await people.signUp('ada@example.com');
  for (const name of ['Engines', 'Looms']) await world.workspace({ owner: ada, name });
  await world.drainStream();
  const opened = await enterAs(await open({ width: 390 }), ada);
  const { page } = opened;
  await page.addInitScript(endAddressLate);
  await visit(opened, at('account'));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    press(opened, 'Download your data'),
  ]);
  await says(opened, 'The file is in your downloads.');
  await expectWellMade(opened, 'account-exported');
  expect(download.suggestedFilename()).toBe(`${people.project_id}-${ada.uid}.json`);
  const exported = JSON.parse(await readFile(await download.path(), 'utf8')) as {
    [list: string]: unknown[];
  };
  expect(exported).toMatchObject({ user: { email: 'ada@example.com' } });
  expect(exported['owned_workspaces']).toHaveLength(2);
  expect(exported['memberships']).toHaveLength(2);
  expect(exported).not.toHaveProperty('events_truncated');
  // The service has the same data.
  const { body } = await world.as(ada).users.export({ uid: ada.uid });
  expect(Object.keys(exported).toSorted()).toEqual(
    Object.keys(body)
      .filter((name) => name !== 'events_truncated')
      .toSorted(),
  );
});

test('a user verifies their e-mail by a mailed link, which works once', async () => {
  const bob = await world.user({ project: people.project, email: 'bob@example.com' });
  const opened = await enterAs(await open({ width: 390 }), bob);
  const { page } = opened;
  await visit(opened, at('account'));
  await says(opened, 'not verified');
  await press(opened, 'Verify your e-mail');
  await says(opened, 'We have sent a link to bob@example.com.');
  // A failure does not stand beside what an earlier request has said.
  opened.allowed.push('ERR_CONNECTION_RESET');
  await page.route('**/email/verification', (route) => route.abort('connectionreset'));
  await press(opened, 'Verify your e-mail');
  await says(opened, 'The service cannot be reached.');
  expect(await page.getByText('We have sent a link').count()).toBe(0);
  const link = await linkTo('bob@example.com');
  await page.goto(link);
  await heading(opened, 'Verify your e-mail');
  expect(page.url()).not.toContain('token');
  // Nothing is confirmed without a click.
  expect((await world.as(bob).users.getMe()).body.verified.email).toBe(false);
  await expectWellMade(opened, 'verify-email');
  await press(opened, 'Confirm');
  await says(opened, 'bob@example.com is confirmed.');
  await expectWellMade(opened, 'verify-email-done');
  expect((await world.as(bob).users.getMe()).body.verified.email).toBe(true);
  await follow(opened, 'To your account');
  await heading(opened, 'Account');
  expect(await page.getByRole('button', { name: 'Verify your e-mail' }).count()).toBe(0);

  await page.goto('about:blank');
  await page.goto(link);
  await press(opened, 'Confirm');
  await says(opened, 'The link was used, has expired');
  await expectWellMade(opened, 'verify-email-used');
  allow(opened, '400');
});

test('a user ends another session, whose browser is then sent to the sign-in', async () => {
  const carl = await people.signUp('carl@example.com');
  const phone = await arrive(await open({ width: 390 }), carl.email, at('account'));
  const desk = await arrive(await open(), carl.email, at('account'));
  await says(desk, 'This browser');
  // The sign-up, the phone and this browser.
  const sessions = async () => (await world.as(carl).sessions.list()).body.result.length;
  expect(await sessions()).toBe(3);
  const ends = desk.page.getByRole('button', { name: /^End / });
  await expect.poll(() => ends.count()).toBe(2);
  // The sign-up was made by a program, not by a browser.
  const list = desk.page.getByRole('listitem').filter({ hasText: 'Linux' });
  await list.filter({ hasNotText: 'This browser' }).getByRole('button', { name: /^End / }).click();
  await expect.poll(() => ends.count()).toBe(1);
  expect(await sessions()).toBe(2);
  await press(phone, 'Save');
  await heading(phone, 'Sign in');
  allow(phone, '401');
  // The session that ended the others is still signed in.
  await press(desk, 'Save');
  await says(desk, 'Saved.');
});

test('an invalid name is marked at its field', async () => {
  const opened = await enterAs(await open({ width: 390 }), await people.signUp('dana@example.com'));
  await visit(opened, at('account'));
  await field(opened, 'Given name (optional)').fill('Dana\u202E');
  await press(opened, 'Save');
  await says(opened, 'This is not valid.');
  const wrong = opened.page.locator('[aria-invalid=true]');
  expect(await wrong.count()).toBe(1);
  expect(await wrong.getAttribute('name')).toBe('given_name');
  await expectWellMade(opened, 'account-name-refused');
  allow(opened, '400');
});

test('a profile that was changed elsewhere is not overwritten: both changes are shown, and saved once more', async () => {
  const ella = await people.signUp('ella@example.com');
  const api = world.as(ella);
  const opened = await enterAs(await open({ width: 390 }), ella);
  await visit(opened, at('account', { ui_locales: 'de' }));
  const { page } = opened;
  const name = field(opened, 'Anzeigename (optional)');
  const given = field(opened, 'Vorname (optional)');
  await name.fill('Ella');
  await given.fill('Ella Marie');
  await api.users.update({ uid: ella.uid, display_name: 'E. Baker', about_me: 'Another' });
  await press(opened, 'Speichern');
  await says(opened, 'Ihr Profil wurde inzwischen anderswo geändert.');
  expect(await name.inputValue()).toBe('E. Baker');
  expect(await given.inputValue()).toBe('Ella Marie');
  await expectWellMade(opened, 'account-changed-elsewhere');

  // Another change comes just before this one, which is about none of the fields.
  await page.route('**/users/*', async (route) => {
    await page.unroute('**/users/*');
    await api.users.update({ uid: ella.uid, about_me: 'A third' });
    await route.continue();
  });
  // A proxy that compresses makes the tag a weak one.
  await page.route('**/users/me', async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    await route.fulfill({ response, headers: { ...headers, etag: `W/${headers['etag']}` } });
  });
  await press(opened, 'Speichern');
  await says(opened, 'Gespeichert.');
  expect((await api.users.getMe()).body).toMatchObject({
    display_name: 'E. Baker',
    name: { given_name: 'Ella Marie' },
    about_me: 'A third',
  });
  allow(opened, '412');
});
