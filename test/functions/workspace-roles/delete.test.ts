import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { expectProblem } from '../../support/expectations.ts';
import { ownRoleTools } from '../../support/own-roles.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as } = world;
const { project, workspace, permission, defineOwn } = await ownRoleTools(world);

test('200 returns the role, which is deleted and leaves nothing in the item of the workspace', async () => {
  const { workspace_id, owner } = await workspace();
  const role = await defineOwn(workspace_id, 'ws-editor', ['event:list']);
  const { workspaceRoles, members } = as(owner);
  const before = await workspaceRoles.get({ workspace_id, role });
  const { status, body } = await workspaceRoles.delete({ workspace_id, role });
  expect([status, body]).toEqual([200, before.body]);
  for (const again of [
    await workspaceRoles.get({ workspace_id, role }),
    await workspaceRoles.delete({ workspace_id, role }),
  ])
    expectProblem(again, 'not_found');
  expect(await world.table.get(keys.workspace(workspace_id))).not.toHaveProperty('own_roles');
  const { uid: user_id } = await world.user({ project });
  expect((await members.add({ workspace_id, user_id, role })).status).toBe(400);
});

test('409 with the number of members, pending invitations and valid join links of this workspace that have it', async () => {
  const place = await workspace();
  const { workspace_id } = place;
  const role = await defineOwn(workspace_id, 'ws-busy', []);
  // A role of the same name in another workspace does not count.
  const other = await workspace();
  await defineOwn(other.workspace_id, role, []);
  await world.member(other, role);
  const counted = async () => {
    const { status, body } = await as(project).workspaceRoles.delete({ workspace_id, role });
    return status === 409 ? [body.code, body.member_count] : status;
  };
  const member = await world.member(place, role);
  expect(await counted()).toEqual(['role_in_use', 1]);
  const guest = await world.invited(place, role);
  const link = await as(project).joinLinks.create({ workspace_id, role });
  expect(await counted()).toEqual(['role_in_use', 3]);
  const { members, invitations, joinLinks } = as(project);
  await members.changeRole({ workspace_id, user_id: member.uid, role: 'member' });
  await invitations.end({ workspace_id, user_id: guest.uid });
  await joinLinks.revoke({ workspace_id, link_id: link.body.link_id });
  expect(await counted()).toBe(200);
});

test('403 for an admin who lacks one of its permissions', async () => {
  await permission('safe:open');
  const place = await workspace();
  const { workspace_id } = place;
  const role = await defineOwn(workspace_id, 'ws-big', ['safe:open']);
  const admin = await world.member(place, 'admin');
  const refused = await as(admin).workspaceRoles.delete({ workspace_id, role });
  expectProblem(refused, 'forbidden', { missing: ['safe:open'] });
  expect((await as(place.owner).workspaceRoles.delete({ workspace_id, role })).status).toBe(200);
});

test('409 right after a restore, before the members are back', async () => {
  const place = await workspace();
  const { workspace_id, owner } = place;
  const role = await defineOwn(workspace_id, 'ws-restored', ['event:list']);
  await world.member(place, role);
  await as(owner).workspaces.delete({ workspace_id });
  await world.drainStream();
  await as(owner).workspaces.restore({ workspace_id });
  const at = { workspace_id, role };
  expectProblem(await as(owner).workspaceRoles.delete(at), 'role_in_use', { member_count: 1 });
  await world.drainStream();
  expectProblem(await as(owner).workspaceRoles.delete(at), 'role_in_use', { member_count: 1 });
});

test('a member who still has a deleted role may do what every member may', async () => {
  const place = await workspace();
  const { workspace_id } = place;
  const role = await defineOwn(workspace_id, 'ws-ghost', ['event:list']);
  const member = await world.member(place, role);
  // As if the role had been deleted while the index that counts its members lagged behind.
  await world.table.update(keys.workspace(workspace_id), { own_roles: '{}' });
  expect((await as(member).events.listOfWorkspace({ workspace_id })).status).toBe(403);
  expect((await as(member).workspaces.get({ workspace_id })).status).toBe(200);
  // A new role of this name does not grant them anything: their members first get another role.
  const define = () =>
    as(place.owner).workspaceRoles.set({ workspace_id, role, permissions: ['event:list'] });
  expectProblem(await define(), 'role_in_use', { member_count: 1 });
  await as(project).members.changeRole({ workspace_id, user_id: member.uid, role: 'member' });
  expect((await define()).status).toBe(201);
  expect((await as(member).events.listOfWorkspace({ workspace_id })).status).toBe(403);
});
