import { expect, test } from 'vitest';
import { userKey } from '../support/api-keys.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import { dialog, startConsoleStage } from './console-stage.ts';
import { press } from './hosted-stage.ts';

/** The API keys of a user in the console: how they are shown, and their revocation. */
const { world, enter, settle } = await startConsoleStage();
const { project_id } = world.project;
const { open } = useBrowser();

const openUser = (opened: Opened, uid: string) =>
  enter(opened, `/projects/${project_id}/users/${uid}`);
const table = ({ page }: Opened) => page.getByRole('table', { name: 'API keys' });

test('the keys of a user are listed, and one is revoked after a confirmation', async () => {
  const ada = await world.user();
  const leaked = await userKey(world, ada, { name: 'Leaked', permissions: ['workspace:read'] });
  await userKey(world, ada, { name: 'Nightly', expires_in: 86_400 });
  await world.as(leaked.bearer).users.getMe();
  await settle();
  const opened = await open();
  await openUser(opened, ada.uid);
  const row = (name: string) => table(opened).getByRole('row').filter({ hasText: name });
  const today = new Date().toISOString().slice(0, 10);
  for (const text of [leaked.key_id, 'workspace:read', today])
    await row('Leaked').getByText(text).waitFor();
  for (const text of ['expires', 'never']) await row('Nightly').getByText(text).waitFor();
  await row('Leaked').getByRole('button', { name: 'Revoke' }).click();
  await dialog(opened).getByText('Revoke Leaked?').waitFor();
  await press(opened, 'Cancel');
  await dialog(opened).waitFor({ state: 'detached' });
  expect((await world.as(leaked.bearer).users.getMe()).status).toBe(200);
  await row('Leaked').getByRole('button', { name: 'Revoke' }).click();
  await dialog(opened).getByRole('button', { name: 'Revoke' }).click();
  await row('Leaked').waitFor({ state: 'detached' });
  expect((await world.as(leaked.bearer).users.getMe()).status).toBe(401);
  expect(await table(opened).getByRole('row').count()).toBe(2);
});

test('the list of keys passes the checks in every view', async () => {
  const ada = await world.user();
  const opened = await open();
  await openUser(opened, ada.uid);
  await opened.page.getByText('This user has no API key.').waitFor();
  const name = 'Imports the orders of the shop every night, for the accounts of the north';
  const permissions = ['workspace:read', 'member:list-accepted', 'invitation:create'];
  const made = await userKey(world, ada, { name, permissions, expires_in: 86_400 });
  await userKey(world, ada, { name: 'CI' });
  await world.as(ada).apiKeys.rotate({ key_id: made.key_id });
  await opened.page.reload();
  await table(opened).getByText('CI').waitFor();
  await expectWellMade(opened, 'console-user-keys');
  await table(opened).getByRole('button', { name: 'Revoke' }).first().click();
  await dialog(opened).getByText('Programs that use it').waitFor();
  await expectWellMade(opened, 'console-user-keys-revoke');
});
