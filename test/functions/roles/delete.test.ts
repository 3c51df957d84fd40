import { expect, test } from 'vitest';
import { byRole } from '#shared/db/index-attributes.ts';
import { keys } from '#shared/db/keys.ts';
import { lifetimes, limits } from '#shared/model/limits.ts';
import { expectProblem } from '../../support/expectations.ts';
import { roleTools } from '../../support/roles.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as, project } = world;
const { roles, define } = roleTools(world);

test('200 returns the role, which is deleted and can no longer be given', async () => {
  const role = await define('clerk', ['invoice:read']);
  const before = await roles.get({ role });
  const { status, body } = await roles.delete({ role });
  expect([status, body]).toEqual([200, before.body]);
  for (const again of [await roles.get({ role }), await roles.delete({ role })])
    expectProblem(again, 'not_found');
  const { workspace_id } = await world.workspace();
  const { uid: user_id } = await world.user();
  const added = await as(project).members.add({ workspace_id, user_id, role });
  expect([added.status, added.body.errors?.[0].pointer]).toEqual([400, '/body/role']);
  await world.drainStream();
  expect(world.events().findLast(({ type }) => type.startsWith('role.'))).toMatchObject({
    type: 'role.deleted',
    data: { role },
  });
});

test('404 for a built-in role, and one of another project', async () => {
  for (const role of ['owner', 'admin', 'member'])
    expectProblem(await roles.delete({ role }), 'not_found');
  const role = await define('elsewhere', []);
  const { basic } = await world.newProject();
  expectProblem(await as(basic).roles.delete({ role }), 'not_found');
});

test('409 with the number of members, pending invitations and valid join links that have it', async () => {
  const role = await define('busy', []);
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const counted = async () => {
    const { status, body } = await roles.delete({ role });
    if (status === 409)
      expect(body.detail).toBe(
        `${body.member_count} members, invitations and join links have the role`,
      );
    return status === 409 ? [body.code, body.member_count, body.member_count_is_at_least] : status;
  };
  const member = await world.member(workspace, role);
  expect(await counted()).toEqual(['role_in_use', 1, undefined]);
  const guest = await world.invited(workspace, role);
  const link = await as(project).joinLinks.create({ workspace_id, role });
  expect(await counted()).toEqual(['role_in_use', 3, undefined]);
  const { members, invitations, joinLinks } = as(project);
  await members.changeRole({ workspace_id, user_id: member.uid, role: 'member' });
  await invitations.end({ workspace_id, user_id: guest.uid });
  await joinLinks.revoke({ workspace_id, link_id: link.body.link_id });
  expect(await counted()).toBe(200);
});

test('409 with the names of the roles that inherit from it', async () => {
  const role = await define('base', []);
  for (const heir of ['heir', 'other-heir']) await define(heir, [], { inherits: [role] });
  const { status, body } = await roles.delete({ role });
  expect([status, body.code, body.inherited_by]).toEqual([
    ...[409, 'role_in_use', ['heir', 'other-heir']],
  ]);
  expect(body.detail).toBe('Other roles inherit from the role: heir, other-heir');
  for (const heir of ['heir', 'other-heir']) await define(heir, []);
  expect((await roles.delete({ role })).status).toBe(200);
});

test('200 if it is only in expired invitations and links, former members or deleted workspaces', async () => {
  const role = await define('ended', []);
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const leaving = await world.member(workspace, role);
  await as(leaving).members.remove({ workspace_id, user_id: leaving.uid });
  await world.invited(workspace, role);
  await as(project).joinLinks.create({ workspace_id, role });
  const gone = await world.workspace();
  await world.member(gone, role);
  await as(gone.owner).workspaces.delete({ workspace_id: gone.workspace_id });
  await world.drainStream();
  pass((lifetimes.joinLink + 60) * 1_000);
  expect((await roles.delete({ role })).status).toBe(200);
});

test('a member has the role again once the workspace is restored and the role is defined again', async () => {
  const role = await define('returning', ['event:list']);
  const place = await world.workspace();
  const { workspace_id, owner } = place;
  const member = await world.member(place, role);
  const log = async () => (await as(member).events.listOfWorkspace({ workspace_id })).status;
  await as(owner).workspaces.delete({ workspace_id });
  await world.drainStream();
  expect((await roles.delete({ role })).status).toBe(200);
  await as(owner).workspaces.restore({ workspace_id });
  expect(await log()).toBe(403);
  await define(role, ['event:list']);
  expect(await log()).toBe(200);
});

test('200 beyond the limit of counting if only expired invitations have it', async () => {
  const role = await define('invitee', []);
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { uid: user_id } = await world.invited(workspace, role);
  const model = await world.table.get(keys.invitation(workspace_id, user_id));
  const ended = new Date(Date.now() - 1_000).toISOString();
  await world.table.putAll(
    Array.from({ length: limits.countedHolders + 1 }, (_, i) => ({
      ...model,
      ...keys.invitation(workspace_id, `copy-${i}`),
      ...byRole(project.project_id, role, workspace_id, `copy-${i}`),
      invitation_expires_at: ended,
    })),
  );
  const refused = await roles.delete({ role });
  expect([refused.body.member_count, refused.body.member_count_is_at_least]).toEqual([
    1,
    undefined,
  ]);
  await as(project).invitations.end({ workspace_id, user_id });
  expect((await roles.delete({ role })).status).toBe(200);
});

test('409 counts up to a limit and has member_count_is_at_least', async () => {
  const role = await define('crowd', []);
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { uid } = await world.member(workspace, role);
  const model = await world.table.get(keys.member(workspace_id, uid));
  await world.table.putAll(
    Array.from({ length: limits.countedHolders }, (_, i) => ({
      ...model,
      ...keys.member(workspace_id, `copy-${i}`),
      ...byRole(project.project_id, role, workspace_id, `copy-${i}`),
    })),
  );
  const { body } = await roles.delete({ role });
  expect([body.code, body.member_count, body.member_count_is_at_least]).toEqual([
    ...['role_in_use', limits.countedHolders, true],
  ]);
  expect(body.detail).toBe(
    `${limits.countedHolders} or more members, invitations and join links have the role`,
  );
});
