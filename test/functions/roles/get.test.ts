import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { roleTools } from '../../support/roles.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { roles, define } = roleTools(world);

test('200 with its own and its effective permissions', async () => {
  await define('clerk', ['invoice:read'], { name: 'Clerk' });
  await define('chief', ['invoice:pay'], { description: 'Pays', inherits: ['clerk'] });
  expect((await roles.get({ role: 'chief' })).body).toEqual({
    role: 'chief',
    description: 'Pays',
    permissions: ['invoice:pay'],
    inherits: ['clerk'],
    effective_permissions: [
      ...['invoice:pay', 'invoice:read', 'member:leave', 'member:list-accepted'],
      ...['member:read', 'role:list', 'workspace:read'],
    ],
    built_in: false,
  });
  for (const role of ['owner', 'admin', 'member'])
    expect((await roles.get({ role })).body).toMatchObject({ role, built_in: true });
});

test('404 for an undefined role, and one of another project', async () => {
  for (const role of ['ghost', 'constructor', 'invited', 'none'])
    expectProblem(await roles.get({ role }), 'not_found');
  const { basic } = await world.newProject();
  expectProblem(await world.as(basic).roles.get({ role: 'clerk' }), 'not_found');
});
