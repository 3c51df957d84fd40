import { expect, test } from 'vitest';
import { limits } from '#shared/model/limits.ts';
import { expectInvalid, expectProblem } from '../../support/expectations.ts';
import { roleTools } from '../../support/roles.ts';
import { storeDefinitions } from '../../support/stored-roles.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { permissions, roles } = roleTools(world);
const permission = 'invoice:read';

test('201 creates a permission; 200 replaces or removes its description', async () => {
  const made = await permissions.set({ permission, description: 'See' });
  expect([made.status, made.body]).toEqual([
    201,
    { permission, description: 'See', built_in: false },
  ]);
  const changed = await permissions.set({ permission, description: 'Look' });
  expect([changed.status, changed.body.description]).toEqual([200, 'Look']);
  const bare = await permissions.set({ permission });
  expect([bare.status, bare.body]).toEqual([200, { permission, built_in: false }]);
});

test('an event has the new and the previous description; an unchanged one is no event', async () => {
  const project = await world.newProject();
  const { set } = world.as(project).permissions;
  await world.drainStream();
  const before = world.events().length;
  for (const description of ['See', 'See', 'Look']) await set({ permission, description });
  await world.drainStream();
  const events = world.events().slice(before);
  expect(events).toMatchObject([
    { type: 'permission.created', data: { permission, description: 'See' } },
    {
      type: 'permission.updated',
      data: { permission, description: 'Look' },
      previous: { description: 'See' },
    },
  ]);
  const { body } = await world.as(project).events.list();
  expect(body.result.map(({ type }: { type: string }) => type)).toEqual([
    'permission.created',
    'permission.updated',
  ]);
});

test('400 for any permission of a resource of the service, existing or not', async () => {
  for (const each of ['workspace:read', 'workspace:fly', 'role:x', 'api-key:manage', 'member:y'])
    expectInvalid(await permissions.set({ permission: each }), '/path/permission');
});

test('409 beyond the limit; existing permissions can still be changed', async () => {
  const project = await world.newProject();
  const nameOf = (i: number) => `resource:action-${i}`;
  const set = (i: number, description?: string) =>
    world.as(project).permissions.set({ permission: nameOf(i), description });
  const most = limits.permissionsPerProject;
  const stored = Array.from({ length: most - 1 }, (_, i) => [nameOf(i), {}]);
  await storeDefinitions(world, project.project_id, { permissions: Object.fromEntries(stored) });
  expect((await set(most - 1)).status).toBe(201);
  expectProblem(await set(most), 'permission_limit_reached');
  expect((await set(7, 'Changed')).status).toBe(200);
});

test('412 for a permission that does not exist, with If-Match: *', async () => {
  const more = { headers: { 'if-match': '*' } };
  expectProblem(await permissions.set({ permission: 'not:there' }, more), 'precondition_failed');
  await roles.set({ role: 'reader', permissions: [permission] });
  expect((await permissions.set({ permission, description: 'New' }, more)).status).toBe(200);
});

test('an empty description is none', async () => {
  await permissions.set({ permission, description: 'Some' });
  expect((await permissions.set({ permission, description: '' })).body).not.toHaveProperty(
    'description',
  );
  const { status, body } = await roles.set({ role: 'reader', permissions: [], description: '' });
  expect([status, 'description' in body]).toEqual([200, false]);
});
