import { expect, onTestFinished, test } from 'vitest';
import { startConsole } from '../../console/server/serve.ts';
import { keys } from '../../shared/db/keys.ts';
import { limits } from '../../shared/model/limits.ts';
import { rates } from '../../shared/model/rates.ts';
import { factorProject } from '../support/factors.ts';
import { goodPassword } from '../support/sign-in.ts';
import { expectNoSideScroll, expectWellMade, useBrowser } from './browser.ts';
import { confirm, dialog, startConsoleStage } from './console-stage.ts';
import { long, rightToLeft } from './hard-texts.ts';
import { field, follow, heading, press, says } from './hosted-stage.ts';

/** What support does with one person: find them, see why they cannot sign in, give back what was lost. */
const stage = await startConsoleStage();
const { world, project, enter, at, settle } = stage;
const { open } = useBrowser();
const backend = world.as(project.basic);
const ada = await world.user({ project, email: 'ada@example.com', display_name: 'Ada Lovelace' });
await backend.users.update({ uid: ada.uid, external_id: '1815' });
const layla = await world.user({ project, ...rightToLeft });
const hall = await world.workspace({ owner: ada, name: 'Halls' });
const { workspace_id } = hall;
await world.member(hall, 'admin', layla);

test('a name that is invisible, or looks like the e-mail of another user, is not shown in place of one', async () => {
  const names = {
    'blank@example.com': '\u200b\u3164\u2800',
    'twin@example.com': 'ada@example.com',
  };
  for (const [email, display_name] of Object.entries({
    ...names,
    'zero@example.com': 'Z\u200bo\u00ade',
  }))
    await world.user({ project, email, display_name });
  await settle();
  const opened = await enter(await open(), at('/users'));
  const { page } = opened;
  for (const email of Object.keys(names)) await page.getByRole('link', { name: email }).waitFor();
  expect(await page.getByRole('link', { name: 'ada@example.com' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Zoe', exact: true }).waitFor();
  // The profile has the name as it is.
  await follow(opened, 'twin@example.com');
  await heading(opened, 'twin@example.com');
  await page.locator('dd', { hasText: 'ada@example.com' }).waitFor();
});

test('dialogs name a person with the e-mail, and a right-to-left name does not reorder the words around it', async () => {
  const opened = await enter(await open(), at(`/workspaces/${workspace_id}`));
  const { page } = opened;
  await press(opened, 'Remove');
  const name = `Remove ${rightToLeft.display_name.replaceAll('\u200f', '')} (${rightToLeft.email})?`;
  await page.getByRole('dialog', { name }).waitFor();
  const isolated = `getComputedStyle(document.querySelector('[role=dialog] bdi')).unicodeBidi`;
  expect(await page.evaluate(isolated)).toBe('isolate');
  await confirm(opened, 'Cancel');
  await page.goto(`${stage.origin}${at(`/users/${ada.uid}`)}`);
  await press(opened, 'Reset second factor');
  await dialog(opened).getByText('Ada Lovelace (ada@example.com)').waitFor();
});

test('users and workspaces are found by their id and by that of the backend', async () => {
  await backend.workspaces.update({ workspace_id, external_id: 'CRM-hall' });
  await world.user({ project, email: '1815@example.com' });
  const { uid } = await world.user({ project, email: '1816@example.com' });
  await backend.users.update({ uid, external_id: '1816' });
  await settle();
  const opened = await enter(await open(), at('/users'));
  const { page } = opened;
  await page.getByRole('searchbox').fill(` ${ada.uid.toUpperCase()} `);
  await says(opened, '1 user');
  await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  // The beginning of an e-mail too.
  await page.getByRole('searchbox').fill('1815');
  await says(opened, '2 users');
  for (const name of ['Ada Lovelace', '1815@example.com'])
    await page.getByRole('link', { name }).waitFor();
  await page.getByRole('searchbox').fill('1816');
  await says(opened, '1 user');
  await page.goto(`${stage.origin}${at('/workspaces')}`);
  for (const id of [workspace_id, 'CRM-hall']) {
    await page.getByRole('searchbox').fill(id);
    await says(opened, '1 workspace');
    expect(await page.getByRole('link', { name: 'Halls' }).count()).toBe(1);
  }
  await page.goto(`${stage.origin}${at('/users/not-an-id')}`);
  await heading(opened, 'No such user');
});

test('a deleted workspace is found by its id and restored', async () => {
  const lost = await world.workspace({ owner: ada, name: 'Lost' });
  const opened = await enter(await open(), at(`/workspaces/${lost.workspace_id}`));
  opened.allowed.push('404');
  await press(opened, 'Delete');
  await field(opened, 'Type Lost to confirm').fill('Lost');
  await confirm(opened, 'Delete');
  await heading(opened, 'No such workspace');
  await opened.page.goto(`${stage.origin}${at(`/workspaces?query=${lost.workspace_id}`)}`);
  await follow(opened, 'Has it been deleted?');
  await heading(opened, 'No such workspace');
  await expectWellMade(opened, 'console-missing-workspace');
  await press(opened, 'Restore');
  await confirm(opened, 'Restore');
  await heading(opened, 'Lost');
  await opened.page.goto(
    `${stage.origin}${at('/workspaces/wid-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a06')}`,
  );
  await press(opened, 'Restore');
  await confirm(opened, 'Restore');
  await says(opened, 'There is no deleted workspace with this id.');
});

test('an admin is made the owner of a workspace', async () => {
  const opened = await enter(await open(), at(`/workspaces/${workspace_id}`));
  await press(opened, 'Make owner');
  await confirm(opened, 'Make owner');
  await expect
    .poll(async () => (await backend.workspaces.get({ workspace_id })).body.owner_id)
    .toBe(layla.uid);
  await opened.page.getByRole('row', { name: /ada@example\.com admin/ }).waitFor();
});

test('a page of a user shows what they sign in with and their events, the newest first', async () => {
  await world.invited(await world.workspace({ owner: ada, name: 'Guests' }), 'member', layla);
  await settle();
  const opened = await enter(await open(), at(`/users/${layla.uid}`));
  const { page } = opened;
  await page.getByRole('region', { name: 'Sign-in and events' }).getByRole('button').click();
  await page.locator('dd', { hasText: /Guests\s+expires/ }).waitFor();
  const events = await page.locator('.events button').allTextContents();
  expect(events[0]).not.toContain('user.created');
  expect(events.at(-1)).toContain('user.created');
  await expectWellMade(opened, 'console-history');
});

test('the page of a user who cannot sign in says what is locked and until when, and what still works', async () => {
  const people = await factorProject(world);
  const email = 'bounce+locked@simulator.amazonses.com';
  const openUser = async (uid: string) => {
    const opened = await enter(await open(), `/projects/${people.project_id}/users/${uid}`);
    const section = opened.page.getByRole('region', { name: 'Sign-in and events' });
    await section.getByRole('button', { name: 'Show' }).click();
    await section.getByText('Not shown here').waitFor();
    return { opened, section };
  };
  const free = await people.signUp('free@example.com');
  const fine = await openUser(free.uid);
  await fine.section.getByText('Nothing in the account keeps this user from signing in').waitFor();
  await expectWellMade(fine.opened, 'console-no-obstacle');

  const locked = await people.signUp('locked@example.com');
  await people.enrol(locked, { current_password: goodPassword });
  const account = { project_id: people.project_id, email: 'locked@example.com' };
  const { seconds, max } = rates.passwordFailures;
  const window = Math.floor(Date.now() / 1_000 / seconds);
  // Also the next one, which a slow test may run into.
  const counts = { [`w${window}`]: max, [`w${window + 1}`]: max };
  await world.table.put({ ...keys.passwordTries(account), total: max, ...counts });
  await world.table.update(keys.factor(locked.uid), { tries: limits.wrongFactorCodesInARow });
  const { opened, section } = await openUser(locked.uid);
  await section
    .getByText(
      /^Password locked until \d\d:(00|15|30|45) after 10 wrong attempts\. .* What still works: codes by mail, links by mail\.$/,
    )
    .waitFor();
  await section.getByText(/^Authenticator app locked after 100 wrong codes in a row/).waitFor();
  await expectWellMade(opened, 'console-obstacles');
  // What was done is shown without another page.
  await press(opened, 'Reset second factor');
  await confirm(opened, 'Remove');
  await section.getByText(/^Authenticator app locked/).waitFor({ state: 'detached' });
  expect(await section.getByText(/^Password locked/).count()).toBe(1);

  const { uid } = await world.user({ project: people.project, email });
  await people.post('/codes', { email });
  await settle();
  await world.as(people.project).users.update({ uid, disabled: true });
  const stopped = await openUser(uid);
  await stopped.section.getByText(/^No mail is sent to .* because one came back/).waitFor();
  await stopped.section.getByText(/^The user is disabled/).waitFor();
  await expectWellMade(stopped.opened, 'console-mail-stopped');
});

test('the audit log shows its newest events first, and earlier ones at an address of their own', async () => {
  const log = await world.workspace({ owner: ada, name: 'Log' });
  for (let i = 0; i < 120; i += 1)
    await backend.workspaces.update({ workspace_id: log.workspace_id, name: `Log ${i}` });
  await settle();
  const opened = await enter(await open(), at(`/workspaces/${log.workspace_id}?tab=log`));
  const { page } = opened;
  const types = () => page.locator('.events button').allTextContents();
  await says(opened, 'Earlier events');
  expect(await types()).toHaveLength(100);
  expect((await types())[0]).toContain('workspace.updated');
  await press(opened, 'Earlier events');
  await expect.poll(async () => (await types()).at(-1)).toContain('workspace.created');
  expect((await types()).length).toBeLessThan(30);
  await page.reload();
  await expect.poll(async () => (await types()).at(-1)).toContain('workspace.created');
  await page.goBack();
  await expect.poll(async () => (await types()).length).toBe(100);
});

test('who turns a page with the mouse reads on at its beginning; other lists of the view stay', async () => {
  const member = await world.user({ project, email: 'member@example.com' });
  for (let i = 0; i < 12; i += 1) await world.workspace({ owner: member, name: `Room ${i}` });
  await settle();
  const opened = await enter(await open({ width: 390 }), at(`/users/${member.uid}`));
  const { page } = opened;
  const list = page.locator('.list').last();
  await list.getByRole('button', { name: 'Next page' }).click();
  await list.getByText('Room 11').waitFor();
  const top = async () => (await list.boundingBox())?.y ?? 0;
  await expect.poll(top).toBeGreaterThan(0);
  expect(await top()).toBeLessThan(600);
  // The sessions are not a page of anything.
  expect(await page.getByRole('button', { name: 'First page' }).count()).toBe(1);
  // How many there are is said to who does not see it.
  expect(await list.getByRole('status').textContent()).toBe('12 workspaces');
});

test('a name with blanks, marks and letters that nobody sees can be typed to confirm', async () => {
  const name = 'Cafe\u0301  \u200bSud';
  const { workspace_id: id } = await world.workspace({ owner: ada, name });
  const opened = await enter(await open(), at(`/workspaces/${id}`));
  opened.allowed.push('404');
  await press(opened, 'Delete');
  expect(await dialog(opened).getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
  await dialog(opened).getByRole('textbox').fill('Caf\u00e9 Sud');
  await confirm(opened, 'Delete');
  await heading(opened, 'No such workspace');
});

test('a form stays when the console is started again, and is sent only to the service that it shows', async () => {
  const options = { service: world.url, operate: world.operate, pause: 1_100 };
  let run = await startConsole({ ...options, port: 0 });
  onTestFinished(() => run.close().then(() => {}));
  const port = Number(new URL(run.origin).port);
  /** Starts the console again, on the same port, and opens the address of the new run in another tab. */
  const restart = async (stack?: string) => {
    await run.close();
    run = await startConsole({ ...options, port, stack });
    const tab = await opened.page.context().newPage();
    await tab.goto(run.address);
    await tab.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    await tab.close();
  };
  await settle();
  const opened = await open();
  opened.allowed.push('401');
  await opened.page.goto(run.address);
  await opened.page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
  await opened.page.goto(run.origin + at('/users'));
  await opened.page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  await press(opened, 'New user');
  await field(opened, 'E-mail').fill('kept@example.com');
  await restart('another-stack');
  await confirm(opened, 'Create');
  await says(opened, 'The console now works on another service or stack. Reload this page.');
  const found = async () => (await backend.users.list({ email: 'kept@example.com' })).body.total;
  expect(await found()).toBe(0);
  await restart();
  await confirm(opened, 'Create');
  await heading(opened, 'kept@example.com');
  expect(await found()).toBe(1);
});

test('beside a long name, the words of a time stay on one line', async () => {
  await world.user({ project, ...long });
  await settle();
  const opened = await enter(await open(), at('/users'));
  await opened.page.getByRole('link', { name: long.display_name }).waitFor();
  const lines = `[...document.querySelectorAll('time')].map((each) => each.getClientRects().length)`;
  expect(new Set(await opened.page.evaluate<number[]>(lines))).toEqual(new Set([1]));
});

test('why somebody acts as a user can be read without a mouse, and so can the exact times', async () => {
  const actor = { id: 'g'.repeat(128), reason: 'Ticket 42' };
  await backend.sessions.create({ uid: ada.uid, actor });
  const opened = await enter(await open(), at(`/users/${ada.uid}`));
  await says(opened, 'Ticket 42');
  await opened.page.setViewportSize({ width: 800, height: 900 });
  await expectNoSideScroll(opened);
  const [created = ''] = await opened.page.locator('dd time').allTextContents();
  expect(created).toMatch(/ago – \d+ \w+ \d{4}, [\d:]+ UTC$/);
});
