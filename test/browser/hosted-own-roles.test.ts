import { expect, test } from 'vitest';
import { limits } from '../../shared/model/limits.ts';
import { roleTools } from '../support/roles.ts';
import { expectWellMade, useBrowser } from './browser.ts';
import { word } from './hard-texts.ts';
import {
  allow,
  field,
  follow,
  press,
  says,
  settled,
  startHostedStage,
  unfold,
  visit,
} from './hosted-stage.ts';

/** The page of a workspace's own roles. */
const { world, people, at, enterAs } = await startHostedStage({ workspace_roles: true });
const { define } = roleTools(world, people.project);
const { open } = useBrowser();
const backend = world.as(people.project);

const keeper = await define('keeper', ['role:manage', 'invoice:read', 'member:change-role'], {
  name: 'Keeper of roles',
});

test('an owner creates, assigns and changes a role, and deletes it once no member has it', async () => {
  const owner = await people.signUp('ada@example.com');
  const place = await world.workspace({ owner, name: 'Engines' });
  const { workspace_id } = place;
  const bob = await people.signUp('bob@example.com');
  await world.member(place, 'member', bob);
  const asBob = world.as(bob);
  const opened = await enterAs(await open({ width: 390 }), owner);
  const { page } = opened;
  await visit(opened, at('members', { workspace_id }));
  await follow(opened, 'Roles');
  await says(opened, 'This workspace has no roles of its own.');
  await unfold(opened, 'Create a role');
  await press(opened, 'Create');
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
  await field(opened, 'Name').fill('Chef der Größen');
  await field(opened, 'Description (optional)').fill('Reads the log');
  await field(opened, 'See the log event:list').check();
  // Permissions that only the owner has, and those that every member has, cannot be selected.
  expect(
    await page.getByLabel(/(?:ownership:|workspace:(?:delete|restore|read)$|member:read)/).count(),
  ).toBe(0);
  await expectWellMade(opened, 'own-roles-new');
  await press(opened, 'Create');
  await says(opened, 'The role Chef der Größen was created.');
  await expect
    .poll(() => page.evaluate('document.activeElement.textContent'))
    .toBe('Create a role');
  const role = 'ws-chef-der-grossen';
  const row = page.getByRole('listitem').filter({ hasText: role });
  await row.getByText('See the log').waitFor();
  const made = await backend.workspaceRoles.get({ workspace_id, role });
  expect(made.body).toMatchObject({
    ...{ name: 'Chef der Größen', description: 'Reads the log' },
    permissions: ['event:list'],
  });

  // The role is offered by its name for a member.
  expect((await asBob.events.listOfWorkspace({ workspace_id })).status).toBe(403);
  await follow(opened, 'Engines');
  await page.getByLabel('Role of bob@example.com').selectOption('Chef der Größen');
  await expect
    .poll(async () => (await asBob.events.listOfWorkspace({ workspace_id })).status)
    .toBe(200);

  await follow(opened, 'Roles');
  // A proxy that compresses makes each tag a weak one.
  await page.route('**/roles/*', async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    await route.fulfill({ response, headers: { ...headers, etag: `W/${headers['etag']}` } });
  });
  await page.getByText('Change Chef der Größen').click();
  await row.getByLabel('event:list').uncheck();
  await row.getByLabel('invitation:list').check();
  await row.getByLabel('Name').fill('Host');
  await press(opened, 'Save');
  await says(opened, 'Saved.');
  expect((await asBob.events.listOfWorkspace({ workspace_id })).status).toBe(403);
  expect((await asBob.invitations.list({ workspace_id })).status).toBe(200);
  // Another save continues from the saved state.
  await row.getByLabel('Description').fill('');
  await press(opened, 'Save');
  await expect
    .poll(async () => (await backend.workspaceRoles.get({ workspace_id, role })).body)
    .toEqual(expect.not.objectContaining({ description: expect.anything() }));

  // The index that counts the role's members is a moment behind.
  await world.drainStream();
  await page.getByRole('button', { name: 'Delete Host' }).click();
  await says(opened, 'Delete Host? This cannot be undone.');
  await press(opened, 'Delete');
  await says(opened, '1 member, invitation or link has this role. Change or revoke that first.');
  allow(opened, '409');
  await expectWellMade(opened, 'own-roles-in-use');
  await backend.members.changeRole({ workspace_id, user_id: bob.uid, role: 'member' });
  await press(opened, 'Delete');
  await says(opened, 'This workspace has no roles of its own.');
  expect((await backend.workspaceRoles.get({ workspace_id, role })).status).toBe(404);
});

test('a manager of roles can grant only permissions that they have, and cannot change roles with more', async () => {
  const owner = await people.signUp('olga@example.com');
  const place = await world.workspace({ owner, name: 'Oars' });
  const { workspace_id } = place;
  const dora = await people.signUp('dora@example.com');
  const emil = await people.signUp('emil@example.com');
  await world.member(place, keeper, dora);
  await world.member(place, 'member', emil);
  await backend.workspaceRoles.set({
    ...{ workspace_id, role: 'ws-above', name: 'Above' },
    permissions: ['member:remove'],
  });
  const opened = await enterAs(await open(), dora);
  const { page } = opened;
  await visit(opened, at('roles', { workspace_id }));
  await says(opened, 'It may do more than you, so you cannot change it.');
  expect(await page.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
  expect(await page.getByText('Change Above').count()).toBe(0);
  await unfold(opened, 'Create a role');
  expect(await page.locator('.ticks label').allTextContents()).toEqual([
    // The project's own, which has no words that a user can read.
    'invoice:read',
    ...['Change the roles of members member:change-role', 'Manage roles role:manage'],
  ]);
  await field(opened, 'Name').fill('Reader');
  await field(opened, 'invoice:read').check();
  await field(opened, 'Manage roles role:manage').check();
  // The service decides by the current permissions of the role.
  await define(keeper, ['role:manage', 'member:change-role'], { name: 'Keeper of roles' });
  await press(opened, 'Create');
  await says(opened, 'Your role lacks: invoice:read');
  allow(opened, '403');
  await expectWellMade(opened, 'own-roles-refused');
  await define(keeper, ['role:manage', 'invoice:read', 'member:change-role'], {
    name: 'Keeper of roles',
  });
  await press(opened, 'Create');
  await says(opened, 'The role Reader was created.');

  // A concurrent change since the form was opened is not lost.
  await page.getByText('Change Reader').click();
  const row = page.getByRole('listitem').filter({ hasText: 'ws-reader' });
  await row.getByLabel('Name').fill('Auditor');
  await backend.workspaceRoles.set({
    ...{ workspace_id, role: 'ws-reader', name: 'Reader of books' },
    permissions: ['invoice:read'],
  });
  await press(opened, 'Save');
  await says(opened, 'Somebody else has changed this meanwhile. Reload the page.');
  allow(opened, '412');
  const { body } = await backend.workspaceRoles.get({ workspace_id, role: 'ws-reader' });
  expect(body).toMatchObject({ name: 'Reader of books', permissions: ['invoice:read'] });
  // A second role with the same name is a separate role.
  await unfold(opened, 'Create a role');
  await field(opened, 'Name').last().fill('Reader');
  await press(opened, 'Create');
  await says(opened, 'ws-reader-2');

  // A plain member cannot open the page, and a stranger learns nothing.
  const plain = await enterAs(await open(), emil);
  await visit(plain, at('members', { workspace_id }));
  expect(await plain.page.getByRole('link', { name: 'Roles' }).count()).toBe(0);
  await visit(plain, at('roles', { workspace_id }));
  await says(plain, 'You are not allowed to do this.');
  await expectWellMade(plain, 'own-roles-forbidden');
  const stranger = await enterAs(await open(), await people.signUp('stranger@example.com'));
  await visit(stranger, at('roles', { workspace_id }));
  await says(stranger, 'There is no such thing, or you may not see it.');
  allow(stranger, '404');
});

test('after a lost response or a network failure what was typed stays, a retry creates no second role, and a change can be corrected', async () => {
  const owner = await people.signUp('gus@example.com');
  const { workspace_id } = await world.workspace({ owner, name: 'Gates' });
  const opened = await enterAs(await open({ width: 390 }), owner);
  const { page, problems } = opened;
  const lists = /\/workspaces\/[^/]+\/roles$/;
  await page.route(lists, (route) => route.abort('connectionreset'));
  await page.goto(at('roles', { workspace_id }));
  await says(opened, 'The service cannot be reached. Are you online?');
  await page.unroute(lists);
  await press(opened, 'Try again');
  await says(opened, 'This workspace has no roles of its own.');
  await unfold(opened, 'Create a role');
  await field(opened, 'Name').fill('Guard');
  await field(opened, 'See the log event:list').check();
  // The service does what it is asked, but every response is lost.
  const loseResponses = () =>
    page.route('**/roles/ws-*', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
  await loseResponses();
  await press(opened, 'Create');
  await says(opened, 'The service cannot be reached. Are you online?');
  expect(await field(opened, 'Name').inputValue()).toBe('Guard');
  await page.unroute('**/roles/ws-*');
  await press(opened, 'Create');
  await says(opened, 'The role Guard was created.');
  const { body } = await backend.roles.listOfWorkspace({ workspace_id });
  const own = body.result.filter((each: { own: boolean }) => each.own);
  expect(own).toHaveLength(1);

  await page.getByText('Change Guard').click();
  const row = page.getByRole('listitem').filter({ hasText: 'ws-guard' });
  await row.getByLabel('Name').fill('Gard');
  await loseResponses();
  await row.getByRole('button', { name: 'Save' }).click();
  await says(opened, 'The service cannot be reached. Are you online?');
  await page.unroute('**/roles/ws-*');
  await row.getByLabel('Name').fill('Guardian');
  await row.getByRole('button', { name: 'Save' }).click();
  await says(opened, 'Saved.');
  const { body: changed } = await backend.workspaceRoles.get({ workspace_id, role: 'ws-guard' });
  expect(changed.name).toBe('Guardian');
  const expected = /CONNECTION_RESET|status of 412/;
  expect(problems.splice(0).filter((each) => !expected.test(each))).toEqual([]);
});

test('the maximum number of roles with long names passes the checks, and one more is refused', async () => {
  const owner = await people.signUp('many@example.com');
  const { workspace_id } = await world.workspace({ owner, name: `A ${word}` });
  const granted = (await world.as(owner).permissions.listOfCaller({ workspace_id })).body;
  const permissions = granted.permissions.filter((each: string) =>
    /^(?:join|invitation)/.test(each),
  );
  for (let number = 0; number < limits.ownRoles.perWorkspace; number += 1) {
    const { status } = await backend.workspaceRoles.set({
      ...{ workspace_id, role: `ws-long-${number}`, name: number % 2 === 0 ? word : 'מפתח' },
      ...(number % 3 === 0 && { description: `${word} ${number}` }),
      permissions: permissions.slice(0, number),
    });
    expect(status).toBe(201);
  }
  const opened = await enterAs(await open(), owner);
  const { page } = opened;
  await visit(opened, at('roles', { workspace_id, ui_locales: 'de' }));
  await expect.poll(() => page.getByText(word).count()).toBeGreaterThan(5);
  await expectWellMade(opened, 'own-roles-many');
  for (const summary of await page.locator('summary:visible').all()) await summary.click();
  await settled(opened);
  await says(opened, 'Personen einladen');
  await expectWellMade(opened, 'own-roles-unfolded');
  await page.evaluate(`document.documentElement.dir = 'rtl'`);
  await expectWellMade(opened, 'own-roles-right-to-left');
  await page.evaluate(`document.documentElement.dir = 'ltr'`);
  await page.getByLabel('Name', { exact: true }).last().fill('one more');
  await press(opened, 'Erstellen');
  await says(opened, /^Mehr eigene Rollen/);
  allow(opened, '409');
});
