import { expect, test } from 'vitest';
import { roleTools } from '../../support/roles.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { roles, define } = roleTools(world);

test('200 lists owner, admin and member with their permissions, then the roles of the project', async () => {
  await define('zoo-keeper', ['zoo:open']);
  await define('accountant', ['invoice:read'], { name: 'Accountant' });
  const { status, body } = await roles.list();
  expect(status).toBe(200);
  type Role = { role: string; built_in: boolean; effective_permissions: string[] };
  const listed: Role[] = body.result;
  expect(listed.map(({ role, built_in }) => [role, built_in])).toEqual([
    ...['owner', 'admin', 'member'].map((role) => [role, true]),
    ...['accountant', 'zoo-keeper'].map((role) => [role, false]),
  ]);
  const [owner, admin, member] = listed.map((role) => role.effective_permissions);
  expect(owner).toEqual(expect.arrayContaining(['workspace:delete', 'zoo:open', 'invoice:read']));
  expect(admin).toContain('member:change-role');
  expect(admin).not.toContain('zoo:open');
  expect(member).toEqual([
    ...['member:leave', 'member:list-accepted', 'member:read', 'role:list', 'workspace:read'],
  ]);
  expect([body.total, body.count]).toEqual([5, 5]);
});
