import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { ownRoleTools } from '../../support/own-roles.ts';
import { roleTools } from '../../support/roles.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { permissions, roles, permission, define } = roleTools(world);

test('200 returns the permission, which is deleted', async () => {
  const made = await permissions.set({ permission: 'invoice:read', description: 'See' });
  const { status, body } = await permissions.delete({ permission: 'invoice:read' });
  expect([status, body]).toEqual([200, made.body]);
  expectProblem(await permissions.get({ permission: 'invoice:read' }), 'not_found');
  expectProblem(await permissions.delete({ permission: 'invoice:read' }), 'not_found');
  await world.drainStream();
  expect(world.events().at(-1)).toMatchObject({
    type: 'permission.deleted',
    data: { permission: 'invoice:read' },
  });
});

test('409 with the names of the roles that have it, even admin or member', async () => {
  await define('clerk', ['invoice:pay']);
  await roles.set({ role: 'member', permissions: ['invoice:pay'] });
  const { status, body } = await permissions.delete({ permission: 'invoice:pay' });
  expect([status, body.code, body.roles]).toEqual([409, 'permission_in_use', ['clerk', 'member']]);
  for (const role of ['clerk', 'member']) await roles.set({ role, permissions: [] });
  expect((await permissions.delete({ permission: 'invoice:pay' })).status).toBe(200);
});

test("200 if a workspace's own role has it; the role loses it until it is defined again", async () => {
  const tools = await ownRoleTools(world);
  const { permissions: own } = world.as(tools.project);
  await tools.permission('invoice:pay');
  const place = await tools.workspace();
  const { workspace_id } = place;
  const { bearer } = await world.member(
    place,
    await tools.defineOwn(workspace_id, 'ws-payer', ['invoice:pay']),
  );
  const listed = async () =>
    (await world.as(bearer).permissions.listOfCaller({ workspace_id })).body.permissions;
  expect((await own.delete({ permission: 'invoice:pay' })).status).toBe(200);
  expect(await listed()).not.toContain('invoice:pay');
  await tools.permission('invoice:pay');
  expect(await listed()).toContain('invoice:pay');
});

test('404 for a permission of the service', async () => {
  await permission('invoice:send');
  expectProblem(await permissions.delete({ permission: 'event:list' }), 'not_found');
});
