import { expect, test } from 'vitest';
import { roleTools } from '../support/roles.ts';
import { expectAccessible, type Opened, useBrowser } from './browser.ts';
import { confirm, dialog, startConsoleStage } from './console-stage.ts';
import { allow, field, press, says } from './hosted-stage.ts';

/** Roles, permissions and API keys in the console. */
const stage = await startConsoleStage();
const { world, project, enter, at } = stage;
const { define } = roleTools(world, project);
const { open } = useBrowser();
const ada = await world.user({ project, email: 'ada@example.com', display_name: 'Ada Lovelace' });
const backend = world.as(project.basic);

const closed = async (opened: Opened) => dialog(opened).waitFor({ state: 'hidden' });
/** Selects an option of a multi-select field of the dialog. */
async function choose(opened: Opened, label: string, option: string): Promise<void> {
  await dialog(opened).getByRole('combobox', { name: label }).click();
  await opened.page.getByRole('option', { name: option, exact: true }).click();
  // Focusing the next multi-select field would open its options.
  await field(opened, 'Name').focus();
}
const row = ({ page }: Opened, table: string, name: RegExp) =>
  page.getByRole('table', { name: table }).getByRole('row', { name });

test('permissions and roles are created and changed, and can be deleted once no member has them', async () => {
  const workspace = await world.workspace({ owner: ada, name: 'Engines' });
  const { workspace_id } = workspace;
  const bob = await world.user({ project, email: 'bob@example.com' });
  const opened = await enter(await open(), at('/roles'));
  const { page } = opened;
  await page.getByRole('table', { name: 'Roles' }).waitFor();
  // The owner has every permission, and this cannot be changed.
  expect(
    await row(opened, 'Roles', /^owner/)
      .getByRole('button')
      .count(),
  ).toBe(0);
  expect(
    await row(opened, 'Roles', /^admin/)
      .getByRole('button')
      .allTextContents(),
  ).toEqual(['Change']);
  await press(opened, 'New permission');
  await field(opened, 'Permission').fill('invoice');
  expect(await dialog(opened).getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
  await field(opened, 'Permission').fill('member:pay');
  await confirm(opened, 'Create');
  await dialog(opened).getByRole('alert').waitFor();
  allow(opened, '400');
  await field(opened, 'Permission').fill('invoice:read');
  await field(opened, 'Description').fill('See invoices');
  await confirm(opened, 'Create');
  await row(opened, 'Permissions', /invoice:read See invoices/).waitFor();
  await press(opened, 'New permission');
  await field(opened, 'Permission').fill('invoice:read');
  await says(opened, 'There is such a permission.');
  expect(await dialog(opened).getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
  await confirm(opened, 'Cancel');

  await press(opened, 'New role');
  await field(opened, 'Role').fill('admin');
  await says(opened, 'There is such a role.');
  await field(opened, 'Role').fill('clerk');
  await field(opened, 'Name').fill('Clerk');
  await choose(opened, 'Permissions', 'See invoices invoice:read');
  await confirm(opened, 'Create');
  await row(opened, 'Roles', /Clerk clerk See invoices invoice:read/).waitFor();
  expect((await backend.roles.get({ role: 'clerk' })).body).toMatchObject({
    name: 'Clerk',
    permissions: ['invoice:read'],
    inherits: [],
  });
  await expectAccessible(opened);

  await world.member(workspace, 'clerk', bob);
  const mayList = async () =>
    (await world.as(bob).events.listOfWorkspace({ workspace_id })).status === 200;
  expect(await mayList()).toBe(false);
  await row(opened, 'Roles', /clerk/).getByRole('button', { name: 'Change' }).click();
  await choose(opened, 'Permissions', 'event:list');
  // A concurrent change is not overwritten.
  await define('clerk', ['invoice:read'], { name: 'Senior clerk' });
  await confirm(opened, 'Save');
  await dialog(opened).getByRole('alert').waitFor();
  allow(opened, '412');
  await confirm(opened, 'Cancel');
  await closed(opened);
  await row(opened, 'Roles', /clerk/).getByRole('button', { name: 'Change' }).click();
  await expect.poll(() => field(opened, 'Name').inputValue()).toBe('Senior clerk');
  await choose(opened, 'Permissions', 'event:list');
  await confirm(opened, 'Save');
  await row(opened, 'Roles', /Senior clerk clerk event:list, See invoices invoice:read/).waitFor();
  expect(await mayList()).toBe(true);

  await row(opened, 'Roles', /clerk/).getByRole('button', { name: 'Delete' }).click();
  // The index that counts is about a second behind.
  await expect
    .poll(async () => (await backend.roles.delete({ role: 'clerk' })).body.member_count)
    .toBe(1);
  await confirm(opened, 'Delete');
  await says(opened, /1 member/);
  await confirm(opened, 'Cancel');
  await closed(opened);
  await row(opened, 'Permissions', /invoice:read/)
    .getByRole('button', { name: 'Delete' })
    .click();
  await confirm(opened, 'Delete');
  await dialog(opened).getByRole('alert').waitFor();
  await confirm(opened, 'Cancel');
  await closed(opened);
  allow(opened, '409');
  await backend.members.changeRole({ workspace_id, user_id: bob.uid, role: 'member' });
  await row(opened, 'Roles', /clerk/).getByRole('button', { name: 'Delete' }).click();
  await expect
    .poll(async () => {
      const again = dialog(opened).getByRole('button', { name: 'Delete' });
      // It is gone as soon as the role is, also between a look and a click.
      if (await again.isVisible()) await again.click({ timeout: 1_000 }).catch(() => {});
      return row(opened, 'Roles', /clerk/).count();
    })
    .toBe(0);
  await row(opened, 'Permissions', /invoice:read/)
    .getByRole('button', { name: 'Delete' })
    .click();
  await confirm(opened, 'Delete');
  await expect.poll(() => row(opened, 'Permissions', /invoice:read/).count()).toBe(0);
  expect((await backend.permissions.get({ permission: 'invoice:read' })).status).toBe(404);
});

test('the API keys of a workspace are listed, and one is revoked', async () => {
  const { workspace_id } = await world.workspace({ owner: ada, name: 'Looms' });
  const { workspaceKeys } = world.as(ada);
  const { body: made } = await workspaceKeys.create({ workspace_id, name: 'Import' });
  const permissions = ['member:read', 'workspace:read'];
  await backend.workspaceKeys.create({ workspace_id, name: 'Nightly', permissions });
  const use = async () => {
    const headers = { authorization: `Bearer ${made.key}` };
    return (await fetch(`${world.url}/workspaces/${workspace_id}`, { headers })).status;
  };
  expect(await use()).toBe(200);
  // The page does not ask again.
  await expect
    .poll(async () => (await workspaceKeys.list({ workspace_id })).body.result)
    .toContainEqual(expect.objectContaining({ name: 'Import', last_used_on: expect.any(String) }));
  const opened = await enter(await open(), at(`/workspaces/${workspace_id}?tab=keys`));
  const { page } = opened;
  await row(opened, 'API keys', /Nightly .*member:read, workspace:read the backend/).waitFor();
  await row(opened, 'API keys', /Import .* \d{4}-\d\d-\d\d/).waitFor();
  expect(await page.content()).not.toContain(made.key);
  await row(opened, 'API keys', /Import/)
    .getByRole('button', { name: 'Revoke' })
    .click();
  await confirm(opened, 'Revoke');
  await expect.poll(() => row(opened, 'API keys', /Import/).count()).toBe(0);
  expect(await use()).toBe(401);
  await expectAccessible(opened);
});

test('a failed request shows a message, and keeps what was entered', async () => {
  const opened = await enter(await open({ width: 390 }), at('/roles'));
  const { page, problems } = opened;
  await page.getByRole('table', { name: 'Permissions' }).waitFor();
  await press(opened, 'New role');
  await field(opened, 'Role').fill('driver');
  await page.route('**/roles/*', (route) => route.abort('connectionrefused'));
  await confirm(opened, 'Create');
  await says(opened, 'The console does not answer.');
  expect(await field(opened, 'Role').inputValue()).toBe('driver');
  await page.unroute('**/roles/*');
  await confirm(opened, 'Create');
  await row(opened, 'Roles', /driver/).waitFor();
  for (const problem of problems.splice(0)) expect(problem).toContain('CONNECTION_REFUSED');
});
