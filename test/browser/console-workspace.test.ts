import { afterAll, expect, test } from 'vitest';
import { startNameServer } from '../support/name-server.ts';
import { expectAccessible, useBrowser } from './browser.ts';
import { confirm, dialog, startConsoleStage } from './console-stage.ts';
import { allow, field, press, says } from './hosted-stage.ts';

/** The tasks of an operator with one workspace. */
const names = await startNameServer();
afterAll(() => names.close());
const stage = await startConsoleStage();
const { world, project, enter, at } = stage;
const { open } = useBrowser();
const ada = await world.user({ project, email: 'ada@example.com', display_name: 'Ada Lovelace' });
const backend = world.as(project.basic);

const stale = 'Somebody else has changed this meanwhile. Close this and open it again.';

test('the operator edits the metadata of a member, adds and verifies a domain, and approves a request to join', async () => {
  const { workspace_id } = await world.workspace({ owner: ada, name: 'Looms' });
  const opened = await enter(await open(), at(`/workspaces/${workspace_id}`));
  const { page } = opened;
  const metadata = async () =>
    (await backend.members.get({ workspace_id, user_id: ada.uid })).body.app_metadata;
  await press(opened, 'Metadata');
  await field(opened, 'Of the application').fill('[1]');
  expect(await dialog(opened).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await field(opened, 'Of the application').fill('{"seat":7}');
  await confirm(opened, 'Save');
  await expect.poll(metadata).toEqual({ seat: 7 });
  await dialog(opened).waitFor({ state: 'hidden' });
  // A concurrent change is not overwritten.
  await press(opened, 'Metadata');
  await expect.poll(() => field(opened, 'Of the application').inputValue()).toContain('"seat": 7');
  await backend.members.setMetadata({ workspace_id, user_id: ada.uid, app_metadata: { seat: 8 } });
  await field(opened, 'Of the application').fill('');
  await confirm(opened, 'Save');
  await says(opened, stale);
  allow(opened, '412');
  await confirm(opened, 'Cancel');
  expect(await metadata()).toEqual({ seat: 8 });

  await page.getByRole('tab', { name: 'Domains' }).click();
  await says(opened, 'No domain is allowed or verified.');
  await press(opened, 'Add a domain');
  await field(opened, 'Domain').fill('com');
  await confirm(opened, 'Add');
  await dialog(opened).getByRole('alert').waitFor();
  allow(opened, '400');
  await field(opened, 'Domain').fill('looms.example.com');
  await confirm(opened, 'Add');
  await page.getByRole('row', { name: /looms\.example\.com suggest/ }).waitFor();
  const weaver = await world.user({ project, email: 'weaver@looms.example.com', verified: true });
  await world.as(weaver).joinRequests.create({ workspace_id, message: 'I weave.' });
  await press(opened, 'Change');
  await dialog(opened).getByRole('combobox').click();
  await page.getByRole('option', { name: /^auto/ }).click();
  await confirm(opened, 'Save');
  await page.getByRole('row', { name: /looms\.example\.com auto/ }).waitFor();
  await expectAccessible(opened);
  await press(opened, 'Verify');
  await confirm(opened, 'Verify');
  await says(opened, /There is no TXT record/);
  allow(opened, '409');
  const listed = await backend.domains.list({ workspace_id });
  const [{ record }] = listed.body.result;
  names.publish(record.name, record.value);
  await confirm(opened, 'Verify');
  await expect
    .poll(async () => (await backend.domains.list({ workspace_id })).body.result[0].proven_at)
    .toBeDefined();

  await page.getByRole('tab', { name: 'Join requests' }).click();
  await says(opened, 'I weave.');
  await expectAccessible(opened);
  await press(opened, 'Approve');
  await confirm(opened, 'Approve');
  await says(opened, 'Nobody asks to join.');
  const { body } = await backend.members.get({ workspace_id, user_id: weaver.uid });
  expect(body.role).toBe('member');
});

test('after a save the focus is on the button that opened the dialog', async () => {
  const workspace = await world.workspace({ owner: ada, name: 'Mills' });
  const bob = await world.user({ project, email: 'bob@example.com' });
  await world.member(workspace, 'member', bob);
  const opened = await enter(await open(), at(`/workspaces/${workspace.workspace_id}`));
  const { page } = opened;
  const focused = async () => page.evaluate('document.activeElement?.textContent');
  await press(opened, 'Change');
  await dialog(opened).getByRole('switch', { name: 'Suspended' }).click();
  await confirm(opened, 'Save');
  await page.getByRole('row', { name: /suspended/ }).waitFor();
  await expect.poll(focused).toBe('Change');
  // The dialog shows the current values of the member.
  await press(opened, 'Change');
  expect(await dialog(opened).getByRole('switch').isChecked()).toBe(true);
  expect(await dialog(opened).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await confirm(opened, 'Cancel');
  await page.getByRole('tab', { name: 'Metadata' }).click();
  for (const plan of ['"a"', '"b"']) {
    await press(opened, 'Edit metadata');
    await field(opened, 'Of the application').fill(`{"plan":${plan}}`);
    await confirm(opened, 'Save');
    await says(opened, `"plan": ${plan}`);
    await dialog(opened).waitFor({ state: 'hidden' });
    await expect.poll(focused).toBe('Edit metadata');
  }
});

test('a dialog names the user or session, and a click beside it keeps what was entered', async () => {
  const workspace = await world.workspace({ owner: ada, name: 'Kilns' });
  const potter = await world.user({ project, email: 'potter@example.com' });
  await world.member(workspace, 'member', potter);
  const opened = await enter(await open(), at(`/workspaces/${workspace.workspace_id}`));
  const { page } = opened;
  await press(opened, 'Remove');
  await page.getByRole('dialog', { name: 'Remove potter@example.com?' }).waitFor();
  await confirm(opened, 'Cancel');
  await press(opened, 'Add a member');
  await field(opened, 'E-mail').fill('clay@example.com');
  await page.mouse.click(5, 400);
  expect(await field(opened, 'E-mail').inputValue()).toBe('clay@example.com');
  await page.goto(`${stage.origin}${at(`/users/${potter.uid}`)}`);
  await page.getByRole('button', { name: 'End', exact: true }).first().click();
  await page.getByRole('dialog', { name: /^End the session by / }).waitFor();
});

test('the focus stays at the place of work after paging, searching, removing and a refusal', async () => {
  const workspace = await world.workspace({ owner: ada, name: 'Dye works' });
  for (let n = 0; n < 30; n += 1)
    await world.member(
      workspace,
      'member',
      await world.user({ project, email: `dyer${n}@example.com` }),
    );
  // The list of members is a second behind.
  await stage.settle();
  const opened = await enter(await open(), at(`/workspaces/${workspace.workspace_id}`));
  const { page } = opened;
  const focused = async () =>
    page.evaluate(`document.activeElement.ariaLabel ?? document.activeElement.role ??
      document.activeElement.textContent`);
  await press(opened, 'Next page');
  await page.getByRole('button', { name: 'First page' }).and(page.locator(':enabled')).waitFor();
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
  // There is no page after it: the button cannot have the focus.
  await expect.poll(focused).toBe('tabpanel');
  await field(opened, 'Find members').fill('dyer7');
  await page.getByRole('row', { name: /dyer7@/ }).waitFor();
  await press(opened, 'Clear the search');
  expect(await focused()).toBe('Find members');
  await field(opened, 'Find members').fill('dyer7');
  await page.getByRole('row', { name: /dyer8@/ }).waitFor({ state: 'detached' });
  await press(opened, 'Remove');
  await confirm(opened, 'Remove');
  await page.getByRole('row', { name: /dyer7@/ }).waitFor({ state: 'detached' });
  await expect.poll(focused).toBe('tabpanel');

  // After a refusal the focus stays on the button.
  await press(opened, 'Add a member');
  await field(opened, 'E-mail').fill('nobody@example.com');
  await confirm(opened, 'Add');
  await says(opened, 'No user has the e-mail nobody@example.com.');
  await expect.poll(focused).toBe('Add');
});

test('a concurrent change is not overwritten, and is shown when the dialog is opened again', async () => {
  const { workspace_id } = await world.workspace({ owner: ada, name: 'Forge' });
  const opened = await enter(await open(), at(`/workspaces/${workspace_id}`));
  const { page } = opened;
  allow(opened, '412');
  await press(opened, 'Edit');
  await field(opened, 'Name').fill('Forges');
  await backend.workspaces.update({ workspace_id, description: 'Of somebody else' });
  await confirm(opened, 'Save');
  await says(opened, stale);
  // An open dialog keeps its version, so it cannot undo the change.
  await says(opened, 'Of somebody else');
  await confirm(opened, 'Save');
  await says(opened, stale);
  await confirm(opened, 'Cancel');
  await press(opened, 'Edit');
  expect(await field(opened, 'Description').inputValue()).toBe('Of somebody else');
  await field(opened, 'Name').fill('Forges');
  await confirm(opened, 'Save');
  await page.getByRole('heading', { level: 1, name: 'Forges' }).waitFor();

  await page.getByRole('tab', { name: 'Metadata' }).click();
  await press(opened, 'Edit metadata');
  await field(opened, 'Private').fill('{"mine":1}');
  const theirs = { theirs: 1 };
  await backend.workspaces.setMetadata({ workspace_id, private_metadata: theirs });
  await confirm(opened, 'Save');
  await says(opened, stale);
  await says(opened, '"theirs": 1');
  await confirm(opened, 'Save');
  await says(opened, stale);
  await confirm(opened, 'Cancel');
  await press(opened, 'Edit metadata');
  expect(await field(opened, 'Private').inputValue()).toContain('theirs');
  await field(opened, 'Private').fill('{"mine":1,"theirs":1}');
  await confirm(opened, 'Save');
  await expect
    .poll(async () => (await backend.workspaces.getMetadata({ workspace_id })).body)
    .toEqual({ private_metadata: { mine: 1, ...theirs } });
});

test('on a phone, the Tab key skips the navigation while it is closed', async () => {
  const opened = await enter(await open({ width: 390 }), at('/workspaces'));
  const { page } = opened;
  await page.getByRole('heading', { level: 1, name: 'Workspaces' }).waitFor();
  const inside = async () =>
    page.evaluate(`document.activeElement?.closest('nav') !== null`) as Promise<boolean>;
  const tabbed = async () => {
    const found: boolean[] = [];
    for (let i = 0; i < 14; i += 1) {
      await page.keyboard.press('Tab');
      found.push(await inside());
    }
    return found;
  };
  expect(await tabbed()).not.toContain(true);
  const users = page.getByRole('link', { name: 'Users', exact: true });
  await press(opened, 'Open the navigation');
  expect(await tabbed()).toContain(true);
  // A link to the current view closes the menu too, and the view gets the focus.
  await page.getByRole('link', { name: 'Workspaces', exact: true }).click();
  await page.getByRole('button', { name: 'Open the navigation' }).waitFor();
  expect(await page.evaluate('document.activeElement?.tagName')).toBe('MAIN');
  await press(opened, 'Open the navigation');
  await users.click();
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  expect(await tabbed()).not.toContain(true);
  // On a desktop the menu is always visible.
  await page.setViewportSize({ width: 1440, height: 900 });
  await users.waitFor();
  await expect.poll(async () => (await tabbed()).includes(true)).toBe(true);
});
