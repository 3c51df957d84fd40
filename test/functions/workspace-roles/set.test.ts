import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '#shared/model/limits.ts';
import { expectInvalid, expectProblem } from '../../support/expectations.ts';
import { ownRoleTools } from '../../support/own-roles.ts';
import type { Caller } from '../../support/routes.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as } = world;
const tools = await ownRoleTools(world);
const { project, permission, defineOwn, workspace } = tools;
let place: Awaited<ReturnType<typeof workspace>>;
let workspace_id: string;
beforeAll(() => permission('invoice:read', 'invoice:pay', 'report:read'));
beforeEach(async () => {
  place = await workspace();
  ({ workspace_id } = place);
});
const set = (by: Caller, role: string, permissions: string[], more: object = {}) =>
  as(by).workspaceRoles.set({ workspace_id, role, permissions, ...more });
/** The permissions that a user has in the workspace now. */
const may = async ({ uid: user_id }: Person, ...permissions: string[]) => {
  const checks = [{ workspace_id, user_id, permissions }];
  const { body } = await as(project).permissions.check({ checks });
  return body.results[0];
};

test('201 creates a role; 200 replaces it as a whole, for the next request', async () => {
  const given = { name: 'Editor', description: 'Reads' };
  const made = await set(place.owner, 'ws-first', ['invoice:read', 'event:list'], given);
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    ...{ role: 'ws-first', ...given, permissions: ['event:list', 'invoice:read'] },
    ...{ inherits: [], built_in: false },
  });
  expect(made.body.effective_permissions).toEqual([
    ...['event:list', 'invoice:read', 'member:leave', 'member:list-accepted', 'member:read'],
    ...['role:list', 'workspace:read'],
  ]);
  const member = await world.member(place, 'ws-first');
  const log = async () => (await as(member).events.listOfWorkspace({ workspace_id })).status;
  expect(await log()).toBe(200);
  expect(await may(member, 'invoice:read')).toMatchObject({ allowed: true, role: 'ws-first' });
  const { status, body } = await set(place.owner, 'ws-first', ['invoice:pay']);
  expect(status).toBe(200);
  expect([body.name, body.description, body.permissions]).toEqual([
    ...[undefined, undefined, ['invoice:pay']],
  ]);
  expect(await log()).toBe(403);
  expect((await may(member, 'invoice:read', 'invoice:pay'))?.missing).toEqual(['invoice:read']);
});

test('permissions of the caller include those of the role, with the workspace selected', async () => {
  await defineOwn(workspace_id, 'ws-claimed', ['report:read']);
  const member = await world.member(place, 'ws-claimed');
  await as(member).sessions.selectWorkspace({ workspace_id });
  const { body } = await as(member).permissions.listOfCaller({ workspace_id });
  expect(body).toMatchObject({ role: 'ws-claimed' });
  expect(body.permissions).toContain('report:read');
});

test('a role belongs to one workspace, even if another has one with the same name', async () => {
  const other = await workspace();
  await defineOwn(workspace_id, 'ws-same', ['invoice:pay']);
  const { uid: user_id } = await world.user({ project });
  const there = { workspace_id: other.workspace_id, user_id, role: 'ws-same' };
  expectInvalid(await as(project).members.add(there), '/body/role');
  await defineOwn(other.workspace_id, 'ws-same', ['invoice:read']);
  expect((await as(project).members.add(there)).status).toBe(201);
  const checks = [{ workspace_id: other.workspace_id, user_id, permissions: ['invoice:pay'] }];
  const { body } = await as(project).permissions.check({ checks });
  expect(body.results[0]?.allowed).toBe(false);
});

describe('nobody defines a role beyond their own permissions', () => {
  test('403 with the permissions that an admin lacks; the owner and the backend define every role', async () => {
    const admin = await world.member(place, 'admin');
    const refused = await set(admin, 'ws-big', ['event:list', 'invoice:pay']);
    expectProblem(refused, 'forbidden', { missing: ['invoice:pay'] });
    for (const by of [place.owner, project])
      expect((await set(by, 'ws-big', ['event:list', 'invoice:pay'])).status).toBeLessThan(300);
    // They cannot remove permissions from a role with more than their own either.
    expectProblem(await set(admin, 'ws-big', []), 'forbidden', { missing: ['invoice:pay'] });
    expect((await set(admin, 'ws-small', ['event:list', 'role:manage'])).status).toBe(201);
  });

  // DynamoDB refuses an update that sets and removes the same attribute, such as the key of the role's holders.
  test('a member with an own role gives and changes only roles within their own permissions', {
    tags: 'engine',
  }, async () => {
    await defineOwn(workspace_id, 'ws-giver', ['member:change-role', 'member:add', 'invoice:read']);
    await defineOwn(workspace_id, 'ws-reader', ['invoice:read']);
    await defineOwn(workspace_id, 'ws-payer', ['invoice:pay']);
    const giver = await world.member(place, 'ws-giver');
    const { uid: user_id } = await world.member(place);
    const give = (role: string) => as(giver).members.changeRole({ workspace_id, user_id, role });
    expect((await give('ws-reader')).status).toBe(200);
    expectProblem(await give('ws-payer'), 'forbidden', { missing: ['invoice:pay'] });
    expect((await give('member')).status).toBe(200);
    const above = { workspace_id, user_id: (await world.member(place, 'ws-payer')).uid };
    const lower = await as(giver).members.changeRole({ ...above, role: 'member' });
    expectProblem(lower, 'forbidden', { missing: ['invoice:pay'] });
  });
});

test('a member with an own role creates keys and join links only within their own permissions', async () => {
  const ownPermissions = [
    'api-key:manage',
    'join-link:create',
    'member:change-role',
    'invoice:read',
  ];
  await defineOwn(workspace_id, 'ws-keys', ownPermissions);
  await defineOwn(workspace_id, 'ws-reader', ['invoice:read']);
  const by = as(await world.member(place, 'ws-keys'));
  const create = (...permissions: string[]) =>
    by.workspaceKeys.create({ workspace_id, name: 'CI', permissions });
  expect((await create('invoice:read', 'workspace:read')).status).toBe(201);
  expectProblem(await create('invoice:pay'), 'forbidden', { missing: ['invoice:pay'] });
  const { body: link } = await by.joinLinks.create({ workspace_id, role: 'ws-reader' });
  const join = async () => {
    const newcomer = await world.user({ project });
    const join_token = String(link.token);
    return as(newcomer).members.join({ workspace_id, user_id: newcomer.uid, join_token });
  };
  const joined = await join();
  expect([joined.status, joined.body.role]).toEqual([201, 'ws-reader']);
  // The link grants only permissions that its creator still has, and no role that manages the workspace.
  await defineOwn(workspace_id, 'ws-reader', ['invoice:pay']);
  expectProblem(await join(), 'join_link_invalid');
  await defineOwn(workspace_id, 'ws-reader', ['event:list']);
  expectProblem(await join(), 'join_link_invalid');
});

test('400 for each invalid name, permission and inherited role', async () => {
  for (const role of ['editor', 'ws-', 'ws-A', 'admin', 'owner', `ws-${'x'.repeat(30)}`])
    expectInvalid(await set(project, role, []), '/path/role');
  const wrong = await set(project, 'ws-wrong', ['workspace:delete', 'ghost:x']);
  expectInvalid(wrong, '/body/permissions/0', '/body/permissions/1');
  expectInvalid(await set(project, 'ws-wrong', [], { inherits: ['admin'] }), '/body/inherits');
});

test('400 a project can neither define a role with such a name nor inherit from one', async () => {
  await defineOwn(workspace_id, 'ws-mine', []);
  const { roles } = as(project);
  expectInvalid(await roles.set({ role: 'ws-mine', permissions: [] }), '/path/role');
  const heir = { role: 'heir', permissions: [], inherits: ['ws-mine'] };
  expectInvalid(await roles.set(heir), '/body/inherits/0');
});

test('403 while the project does not allow own roles; existing ones stay and can be deleted', async () => {
  const closed = await ownRoleTools(world);
  const own = await closed.workspace();
  await closed.defineOwn(own.workspace_id, 'ws-kept', ['event:list']);
  const member = await world.member(own, 'ws-kept');
  const { project_id } = closed.project;
  await world.operate({ action: 'update', project_id, workspace_roles: false });
  // Instances cache the project for a minute.
  const shut = await world.newProject({});
  const place2 = await world.workspace({ owner: await world.user({ project: shut }) });
  for (const by of [place2.owner, shut]) {
    const request = { workspace_id: place2.workspace_id, role: 'ws-x', permissions: [] };
    expectProblem(await as(by).workspaceRoles.set(request), 'forbidden');
  }
  const of = { workspace_id: own.workspace_id };
  expect((await as(member).events.listOfWorkspace(of)).status).toBe(200);
  await as(closed.project).members.changeRole({ ...of, user_id: member.uid, role: 'member' });
  const deleted = await as(own.owner).workspaceRoles.delete({ ...of, role: 'ws-kept' });
  expect(deleted.status).toBe(200);
});

test('an event has the new and the previous permissions; an unchanged role is no event', async () => {
  const { owner } = place;
  for (const permissions of [[], [], ['event:list']]) await set(owner, 'ws-told', permissions);
  await as(owner).workspaceRoles.delete({ workspace_id, role: 'ws-told' });
  await world.drainStream();
  const { body } = await as(owner).events.listOfWorkspace({ workspace_id });
  const events = (body.result as { event: { type: string } }[]).map(({ event }) => event);
  expect(events.filter(({ type }) => type.startsWith('workspace.role.'))).toMatchObject([
    { type: 'workspace.role.created', data: { role: 'ws-told', permissions: [] } },
    {
      type: 'workspace.role.updated',
      data: { role: 'ws-told', permissions: ['event:list'] },
      previous: { permissions: [] },
      actor: { kind: 'user', id: owner.uid },
    },
    { type: 'workspace.role.deleted', data: { role: 'ws-told' } },
  ]);
});

test('409 for one role more than allowed; an existing one can still be replaced', async () => {
  for (let i = 0; i < limits.ownRoles.perWorkspace; i += 1)
    await defineOwn(workspace_id, `ws-${i}`, ['event:list']);
  expectProblem(await set(project, 'ws-more', []), 'role_limit_reached');
  expect((await set(project, 'ws-0', [])).status).toBe(200);
});

test('a permission that the project deletes is lost, and can be left out', async () => {
  await permission('gone:soon');
  await defineOwn(workspace_id, 'ws-late', ['gone:soon']);
  const member = await world.member(place, 'ws-late');
  expect((await may(member, 'gone:soon'))?.allowed).toBe(true);
  expect((await as(project).permissions.delete({ permission: 'gone:soon' })).status).toBe(200);
  expect((await may(member, 'gone:soon'))?.allowed).toBe(false);
  const admin = await world.member(place, 'admin');
  expect((await set(admin, 'ws-late', [])).status).toBe(200);
});
