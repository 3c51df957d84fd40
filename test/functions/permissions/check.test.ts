import { expect, test } from 'vitest';
import { limits } from '#shared/model/limits.ts';
import { expectInvalid, unknownId, unknownWorkspaceId } from '../../support/expectations.ts';
import { roleTools } from '../../support/roles.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as, project } = world;
const { define, permission } = roleTools(world);

test('200 returns for each check whether it is allowed, the role and the missing permissions', async () => {
  const role = await define('clerk', ['invoice:read', 'event:list']);
  await permission('invoice:pay');
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const clerk = await world.member(workspace, role);
  const admin = await world.member(workspace, 'admin');
  const permissions = ['invoice:read', 'invoice:pay', 'workspace:update', 'workspace:read'];
  const checks = [owner, admin, clerk].map(({ uid }) => ({
    ...{ workspace_id, permissions, user_id: uid },
  }));
  const { status, body } = await as(project).permissions.check({ checks });
  expect([status, body]).toEqual([
    200,
    {
      results: [
        { allowed: true, role: 'owner', missing: [] },
        { allowed: false, role: 'admin', missing: ['invoice:read', 'invoice:pay'] },
        { allowed: false, role, missing: ['invoice:pay', 'workspace:update'] },
      ],
    },
  ]);
  const own = { workspace_id, permissions: ['invoice:read', 'event:list'] };
  const { body: mine } = await as(clerk).permissions.check({
    checks: [own, { ...own, user_id: clerk.uid }],
  });
  const allowed = { allowed: true, role, missing: [] };
  expect(mine.results).toEqual([allowed, allowed]);
});

test('200 denies each user who is not an active member, and answers the other checks', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const suspended = await world.member(workspace, 'admin');
  const at = { workspace_id, user_id: suspended.uid };
  await as(owner).members.suspend({ ...at, suspended: true });
  const invited = await world.invited(workspace, 'admin');
  const gone = await world.workspace({ owner });
  await as(owner).workspaces.delete({ workspace_id: gone.workspace_id });
  const elsewhere = await world.newProject();
  const other = await world.workspace({ owner: await world.user({ project: elsewhere }) });
  const permissions = ['workspace:read'];
  const none = [
    { workspace_id, user_id: unknownId },
    { workspace_id, user_id: suspended.uid },
    { workspace_id, user_id: invited.uid },
    { workspace_id: unknownWorkspaceId, user_id: owner.uid },
    { workspace_id: gone.workspace_id, user_id: owner.uid },
    { workspace_id: other.workspace_id, user_id: other.owner.uid },
  ];
  const checks = [...none, { workspace_id, user_id: owner.uid }].map((check) => ({
    ...check,
    permissions,
  }));
  const { body } = await as(project).permissions.check({ checks });
  expect(body.results).toEqual([
    ...none.map(() => ({ allowed: false, missing: permissions })),
    { allowed: true, role: 'owner', missing: [] },
  ]);
});

test('200 denies a disabled user', async () => {
  const workspace = await world.workspace();
  const { uid: user_id } = await world.member(workspace, 'admin');
  const { workspace_id } = workspace;
  const permissions = ['workspace:read'];
  for (const disabled of [true, false]) {
    await as(project).users.update({ uid: user_id, disabled });
    await world.drainStream();
    const checks = [{ workspace_id, user_id, permissions }];
    const { body } = await as(project).permissions.check({ checks });
    expect(body.results.map(({ allowed }: { allowed: boolean }) => allowed)).toEqual([!disabled]);
  }
});

test('200 denies an undefined permission, even to the owner', async () => {
  const { workspace_id, owner } = await world.workspace();
  const permissions = ['invoice:raed', 'ownership:accept', 'constructor:name'];
  const { body } = await as(owner).permissions.check({ checks: [{ workspace_id, permissions }] });
  expect(body.results).toEqual([{ allowed: false, role: 'owner', missing: permissions }]);
});

test("400 for the backend without user_id, and for a user with another user's, with the index of the check", async () => {
  const { workspace_id, owner } = await world.workspace();
  const check = { workspace_id, permissions: ['workspace:read'] };
  const checks = [{ ...check, user_id: unknownId }, check];
  expectInvalid(await as(project).permissions.check({ checks }), '/body/checks/1/user_id');
  expectInvalid(await as(owner).permissions.check({ checks }), '/body/checks/0/user_id');
});

test('200 for the most checks allowed in one request, 400 for one more', async () => {
  const { workspace_id, owner } = await world.workspace();
  const check = { workspace_id, permissions: ['workspace:read'] };
  const checks = Array.from({ length: limits.permissionChecks }, () => check);
  expect((await as(owner).permissions.check({ checks })).body.results).toHaveLength(checks.length);
  expectInvalid(await as(owner).permissions.check({ checks: [...checks, check] }), '/body/checks');
});
