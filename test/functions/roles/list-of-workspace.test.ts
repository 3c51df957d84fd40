import { expect, test } from 'vitest';
import { roleTools } from '../../support/roles.ts';
import { type Caller } from '../../support/routes.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as, project } = world;
const { define, roles } = roleTools(world);

test('200 lists the roles, each with assignable for the caller', async () => {
  await define('clerk', ['invoice:read']);
  await define('chief', ['invoice:pay', 'event:list']);
  const manager = await define('manager', ['member:add', 'member:change-role', 'invoice:read']);
  const adder = await define('adder', ['member:add', 'invoice:read', 'invoice:pay']);
  await roles.set({ role: 'admin', permissions: ['invoice:read'] });
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const given = async (by: Caller) => {
    const { body } = await as(by).roles.listOfWorkspace({ workspace_id });
    const listed: { role: string; assignable: boolean }[] = body.result;
    expect(listed.map(({ role }) => role)).toEqual([
      ...['admin', 'member', 'adder', 'chief', 'clerk', 'manager'],
    ]);
    return listed.filter(({ assignable }) => assignable).map(({ role }) => role);
  };
  const all = ['admin', 'member', 'adder', 'chief', 'clerk', 'manager'];
  expect(await given(project)).toEqual(all);
  expect(await given(owner)).toEqual(all);
  const own = (role: string) => world.member(workspace, role).then(given);
  expect(await own('admin')).toEqual(['admin', 'member', 'clerk', 'manager']);
  expect(await own(manager)).toEqual(['member', 'clerk', 'manager']);
  expect(await own(adder)).toEqual(['member']);
  expect(await own('clerk')).toEqual([]);
  expect(await own('member')).toEqual([]);
});

test('200 assignable_by_link agrees with what creating a join link allows', async () => {
  await define('cashier', ['till:open']);
  await define('viewer', ['event:list']);
  const linker = await define('linker', ['join-link:create', 'member:change-role', 'till:open']);
  await roles.set({ role: 'admin', permissions: ['till:open'] });
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const people: [Caller, string[]][] = [
    [owner, ['admin', 'member', 'cashier', 'viewer', 'linker']],
    [await world.member(workspace, 'admin'), ['member', 'cashier']],
    [await world.member(workspace, linker), ['member', 'cashier']],
    [await world.member(workspace, 'cashier'), []],
  ];
  for (const [caller, expected] of people) {
    const { body } = await as(caller).roles.listOfWorkspace({ workspace_id });
    const listed: { role: string; assignable_by_link: boolean }[] = body.result;
    for (const { role, assignable_by_link } of listed) {
      if (!['admin', 'member', 'cashier', 'viewer', 'linker'].includes(role)) continue;
      expect(assignable_by_link, role).toBe(expected.includes(role));
      const made = await as(caller).joinLinks.create({ workspace_id, role });
      expect(made.status, role).toBe(assignable_by_link ? 201 : 403);
    }
  }
});
