import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { keys } from '../../shared/db/keys.ts';
import { limits } from '../../shared/model/limits.ts';
import { roleTools } from '../support/roles.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
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

/** The project's roles wherever a hosted page offers a choice of roles. */
const { world, people, at, enterAs } = await startHostedStage();
const { define, roles } = roleTools(world, people.project);
const { open } = useBrowser();
const backend = world.as(people.project);

const clerk = await define('clerk', ['invoice:read'], { name: 'Clerk' });
const chief = await define('chief', ['invoice:pay', 'event:list'], { name: 'Chief accountant' });
/** May manage members, and has the clerk's permissions. */
const lead = await define(
  'lead',
  [
    ...['invoice:read', 'member:change-role', 'member:remove', 'invitation:create'],
    ...['join-request:list', 'join-request:approve', 'join-link:list', 'join-link:create'],
  ],
  { name: 'Team lead' },
);

const choicesOf = (opened: Opened, label: string | RegExp) =>
  opened.page.getByLabel(label).first().locator('option').allTextContents();
const roleOf = async (workspace_id: string, user_id: string) =>
  (await backend.members.get({ workspace_id, user_id })).body.role;

test('an owner assigns project roles to members, invitations, join links and join requests', async () => {
  const owner = await people.signUp('ada@example.com');
  const place = await world.workspace({ owner, name: 'Engines' });
  const { workspace_id } = place;
  const bob = await people.signUp('bob@example.com');
  await world.member(place, 'member', bob);
  await backend.domains.set({ workspace_id, domain: 'roles.example', mode: 'suggest' });
  const asker = await people.signUp('asker@roles.example');
  await world.as(asker).joinRequests.create({ workspace_id, message: 'Me too' });
  const opened = await enterAs(await open(), owner);
  const { page } = opened;
  await visit(opened, at('members', { workspace_id }));
  const all = ['Member', 'Admin', 'Chief accountant', 'Clerk', 'Team lead'];
  expect(await choicesOf(opened, 'Role of bob@example.com')).toEqual(all);
  await page.getByLabel('Role of bob@example.com').selectOption('Clerk');
  await expect.poll(() => roleOf(workspace_id, bob.uid)).toBe(clerk);
  await says(opened, 'Clerk');
  // A choice that is corrected while the first request is in transit is applied.
  const slow = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    await slow.promise;
    await route.continue();
  };
  await page.route('**/role', hold, { times: 1 });
  await page.getByLabel('Role of bob@example.com').selectOption('Chief accountant');
  await page.getByLabel('Role of bob@example.com').selectOption('Clerk');
  slow.resolve();
  await settled(opened);
  expect(await roleOf(workspace_id, bob.uid)).toBe(clerk);

  await page.getByLabel('Role of asker@roles.example').selectOption('Chief accountant');
  await page.getByRole('button', { name: 'Approve asker@roles.example' }).click();
  await says(opened, 'Nobody asks to join.');
  expect(await roleOf(workspace_id, asker.uid)).toBe(chief);

  await field(opened, 'E-mail').fill('carl@example.com');
  await page.getByLabel('Role', { exact: true }).first().selectOption('Clerk');
  await press(opened, 'Send the invitation');
  await says(opened, /^Clerk · until /);
  await unfold(opened, 'Invite many at once');
  await field(opened, 'E-mail addresses').fill('dora@example.com\nemil@example.com');
  await page.getByLabel('Role', { exact: true }).nth(1).selectOption('Chief accountant');
  await press(opened, 'Send the invitations');
  await says(opened, '2 addresses: invited');
  await unfold(opened, 'Create a link');
  await page.getByLabel('Role', { exact: true }).nth(2).selectOption('Team lead');
  await press(opened, 'Create');
  await says(opened, /^Team lead · until /);
  await expectWellMade(opened, 'roles-given');
  const { body } = await backend.invitations.list({ workspace_id });
  const invited = body.result as { email: string; role: string }[];
  expect(invited.map(({ email, role }) => [email, role])).toEqual(
    expect.arrayContaining([
      ['carl@example.com', clerk],
      ['dora@example.com', chief],
      ['emil@example.com', chief],
    ]),
  );
  // A member who was removed concurrently disappears from the list.
  await backend.members.remove({ workspace_id, user_id: bob.uid });
  await page.getByRole('button', { name: 'Remove bob@example.com' }).click();
  await press(opened, 'Remove');
  await page.getByLabel('Role of bob@example.com').waitFor({ state: 'detached' });
  allow(opened, '404');
  await world.drainStream();
  await unfold(opened, 'Show what has happened');
  await says(opened, /Chief accountant · /);
});

test('a member with a project role is offered only roles and actions that the role allows', async () => {
  const owner = await people.signUp('olga@example.com');
  const place = await world.workspace({ owner, name: 'Oars' });
  const { workspace_id } = place;
  const [leader, above, below] = await Promise.all(
    ['leader', 'above', 'below'].map((name) => people.signUp(`${name}@example.com`)),
  );
  if (!leader || !above || !below) throw new Error('There are people.');
  await world.member(place, lead, leader);
  await world.member(place, chief, above);
  await world.member(place, 'member', below);
  const opened = await enterAs(await open({ width: 390 }), leader);
  const { page } = opened;
  await visit(opened, at('members', { workspace_id }));
  const own = ['Member', 'Clerk', 'Team lead'];
  expect(await choicesOf(opened, 'Role of below@example.com')).toEqual(own);
  // A member's current role is always shown, even if it cannot be assigned.
  expect(await choicesOf(opened, 'Role of above@example.com')).toEqual([
    ...own,
    'Chief accountant',
  ]);
  expect(await choicesOf(opened, /^Role$/)).toEqual(own);
  // Only the owner can create a join link with a role that manages the workspace.
  await unfold(opened, 'Create a link');
  expect(
    await page
      .getByLabel(/^Role$/)
      .nth(2)
      .locator('option')
      .allTextContents(),
  ).toEqual(['Member', 'Clerk']);
  const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
  expect(headings).toEqual(['Members', 'Requests to join', 'Invite', 'Join links']);
  expect(await page.getByRole('button', { name: /^(?:Suspend|Revoke|Offer)/ }).count()).toBe(0);
  await expectWellMade(opened, 'roles-lead');

  // Members with more permissions than oneself can be neither changed nor removed.
  await page.getByLabel('Role of above@example.com').selectOption('Member');
  await says(opened, 'Your role lacks: event:list, invoice:pay');
  expect(await page.getByLabel('Role of above@example.com').inputValue()).toBe(chief);
  await expectWellMade(opened, 'roles-refused');
  await page.getByRole('button', { name: 'Remove above@example.com' }).click();
  await press(opened, 'Remove');
  await expect.poll(() => page.getByText('Your role lacks: event:list').count()).toBe(2);
  await press(opened, 'Cancel');
  expect(await roleOf(workspace_id, above.uid)).toBe(chief);
  // A permission that the user has just lost does not work, although the page still offers it.
  await define(lead, ['member:change-role'], { name: 'Team lead' });
  await page.getByLabel('Role of below@example.com').selectOption('Clerk');
  await says(opened, 'Your role lacks: invoice:read');
  allow(opened, '403');
  expect(await roleOf(workspace_id, below.uid)).toBe('member');

  // Without management permissions there are no buttons, only readable content.
  const clerkOnly = await enterAs(await open(), above);
  await visit(clerkOnly, at('members', { workspace_id }));
  expect(await clerkOnly.page.getByRole('button').count()).toBe(0);
  await unfold(clerkOnly, 'Show what has happened');
  await expectWellMade(clerkOnly, 'roles-chief');
});

test('the maximum number of roles with long names passes the checks', async () => {
  const { body } = await roles.list();
  const there = body.result.filter(({ built_in }: { built_in: boolean }) => !built_in).length;
  for (let number = there; number < limits.rolesPerProject; number += 1)
    await define(`long${number}`, [], { name: `${word} ${number}` });
  const owner = await people.signUp('many@example.com');
  const place = await world.workspace({ owner, name: 'Many' });
  const { workspace_id } = place;
  await world.member(place, 'long49');
  await world.member(place, 'member');
  const opened = await enterAs(await open(), owner);
  const { page } = opened;
  await visit(opened, at('members', { workspace_id, ui_locales: 'de' }));
  for (const summary of await page.locator('summary:visible').all()) await summary.click();
  await settled(opened);
  expect((await page.locator('option').allTextContents()).length).toBeGreaterThan(200);
  await expectWellMade(opened, 'roles-many');
  await page.evaluate(`document.documentElement.dir = 'rtl'`);
  await expectWellMade(opened, 'roles-many-right-to-left');
});

test('if a script or the roles fail to load, an error is shown with a way to try again', async () => {
  const owner = await people.signUp('gus@example.com');
  const { workspace_id } = await world.workspace({ owner, name: 'Gates' });
  const opened = await enterAs(await open({ width: 390 }), owner);
  const { page, problems } = opened;
  await page.route('**/assets/manage*', (route) => route.abort('connectionreset'));
  await page.goto(at('members', { workspace_id }));
  await says(opened, 'gus@example.com');
  await says(opened, 'The service cannot be reached. Are you online?');
  await expectWellMade(opened, 'failed-manage');
  await page.unroute('**/assets/manage*');
  await press(opened, 'Try again');
  await says(opened, 'No invitations.');
  await page.route('**/roles', (route) => route.abort('connectionreset'));
  await page.reload();
  await says(opened, 'The service cannot be reached. Are you online?');
  await page.unroute('**/roles');
  await press(opened, 'Try again');
  await says(opened, 'No invitations.');
  expect(problems.splice(0).filter((each) => !each.includes('CONNECTION_RESET'))).toEqual([]);
});

test('in a project that no longer allows own roles, existing ones can only be deleted', async () => {
  const owner = await people.signUp('hal@example.com');
  const { workspace_id } = await world.workspace({ owner, name: 'Halls' });
  // From before the project changed its settings.
  await world.table.update(keys.workspace(workspace_id), {
    own_roles: JSON.stringify({ 'ws-old': { permissions: [] } }),
  });
  const opened = await enterAs(await open(), owner);
  const { page } = opened;
  await visit(opened, at('members', { workspace_id }));
  await follow(opened, 'Roles');
  await says(opened, 'Roles can be deleted here, but no longer created or changed.');
  expect(await page.locator('summary').count()).toBe(0);
  await page.getByRole('button', { name: 'Delete ws-old' }).click();
  await press(opened, 'Delete');
  await says(opened, 'This workspace has no roles of its own.');
  await visit(opened, at('members', { workspace_id }));
  expect(await page.getByRole('link', { name: 'Roles' }).count()).toBe(0);
});
