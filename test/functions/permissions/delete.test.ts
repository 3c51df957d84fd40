import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { roleTools } from '../../support/roles.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { permissions, roles, permission, define } = roleTools(world);

test('200 the permission as it was; it is gone', async () => {
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

test('409 while a role holds it, also admin or member, with their names', async () => {
  await define('clerk', ['invoice:pay']);
  await roles.set({ role: 'member', permissions: ['invoice:pay'] });
  const { status, body } = await permissions.delete({ permission: 'invoice:pay' });
  expect([status, body.code, body.roles]).toEqual([409, 'permission_in_use', ['clerk', 'member']]);
  for (const role of ['clerk', 'member']) await roles.set({ role, permissions: [] });
  expect((await permissions.delete({ permission: 'invoice:pay' })).status).toBe(200);
});

test('404 a permission of the service', async () => {
  await permission('invoice:send');
  expectProblem(await permissions.delete({ permission: 'event:list' }), 'not_found');
});
