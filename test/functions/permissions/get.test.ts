import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { roleTools } from '../../support/roles.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { permissions } = roleTools(world);

test('200 for a permission of the project or of the service', async () => {
  const made = await permissions.set({ permission: 'invoice:read', description: 'See invoices' });
  expect((await permissions.get({ permission: 'invoice:read' })).body).toEqual(made.body);
  expect((await permissions.get({ permission: 'event:list' })).body).toEqual({
    permission: 'event:list',
    built_in: true,
  });
});

test('404 for an undefined permission, and one of another project', async () => {
  await permissions.set({ permission: 'invoice:pay' });
  expectProblem(await permissions.get({ permission: 'invoice:gone' }), 'not_found');
  const { basic } = await world.newProject();
  expectProblem(await world.as(basic).permissions.get({ permission: 'invoice:pay' }), 'not_found');
});
