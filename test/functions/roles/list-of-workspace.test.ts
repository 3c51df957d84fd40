import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { roleTools } from '../../support/roles.ts';
import { type Caller } from '../../support/routes.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as, project } = world;
const { define, roles } = roleTools(world);

test('200 the roles, each with whether the caller may give it', async () => {
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

test('404 to whoever is no member', async () => {
  const { workspace_id } = await world.workspace();
  const stranger = await world.user();
  expectProblem(await as(stranger).roles.listOfWorkspace({ workspace_id }), 'not_found');
});
