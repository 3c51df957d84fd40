import { afterAll, expect, test } from 'vitest';
import { startNameServer } from '../support/name-server.ts';
import { expectAccessible, type Opened, useBrowser } from './browser.ts';
import { startConsoleStage } from './console-stage.ts';
import { allow, field, press, says } from './hosted-stage.ts';

/** What an operator does with one workspace. */
const names = await startNameServer();
afterAll(() => names.close());
const stage = await startConsoleStage();
const { world, project, enter, at } = stage;
const { open } = useBrowser();
const ada = await world.user({ project, email: 'ada@example.com', display_name: 'Ada Lovelace' });
const backend = world.as(project.basic);

const dialog = ({ page }: Opened) => page.getByRole('dialog');
/** Confirms what a dialog asks. */
const confirm = async (opened: Opened, name: string) => {
  await dialog(opened).getByRole('button', { name, exact: true }).click();
};

test('a workspace: metadata of a member, a domain and its mode, and who asks to join', async () => {
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
  // What somebody else has changed meanwhile is not overwritten.
  await press(opened, 'Metadata');
  await expect.poll(() => field(opened, 'Of the application').inputValue()).toContain('"seat": 7');
  await backend.members.setMetadata({ workspace_id, user_id: ada.uid, app_metadata: { seat: 8 } });
  await field(opened, 'Of the application').fill('');
  await confirm(opened, 'Save');
  await dialog(opened).getByRole('alert').waitFor();
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
