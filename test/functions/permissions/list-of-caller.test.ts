import { expect, test } from 'vitest';
import { roleTools } from '../../support/roles.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as } = world;
const { define } = roleTools(world);

test('200 returns the role and all permissions of the caller, sorted', async () => {
  const role = await define('clerk', ['invoice:read', 'event:list']);
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const clerk = await world.member(workspace, role);
  expect((await as(clerk).permissions.listOfCaller({ workspace_id })).body).toEqual({
    role,
    permissions: [
      ...['event:list', 'invoice:read', 'member:leave', 'member:list-accepted', 'member:read'],
      ...['role:list', 'workspace:read'],
    ],
  });
  const { body } = await as(owner).permissions.listOfCaller({ workspace_id });
  expect(body.role).toBe('owner');
  expect(body.permissions).toEqual(expect.arrayContaining(['workspace:delete', 'invoice:read']));
});
