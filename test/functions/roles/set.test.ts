import { describe, expect, test } from 'vitest';
import { limits } from '#shared/model/limits.ts';
import { expectInvalid, expectProblem } from '../../support/expectations.ts';
import { roleTools } from '../../support/roles.ts';
import { storeDefinitions } from '../../support/stored-roles.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { roles, permission } = roleTools(world);

describe('a role', () => {
  test('201 is created; 200 is replaced as a whole', async () => {
    await permission('invoice:read', 'invoice:pay');
    const given = { name: 'Clerk', description: 'Reads', permissions: ['invoice:read'] };
    const made = await roles.set({ role: 'clerk', ...given });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ role: 'clerk', ...given, inherits: [], built_in: false });
    const { status, body } = await roles.set({ role: 'clerk', permissions: [] });
    expect(status).toBe(200);
    expect([body.name, body.description, body.permissions]).toEqual([undefined, undefined, []]);
  });

  test('has an event with the new and the previous permissions; an unchanged one has none', async () => {
    const project = await world.newProject();
    const own = roleTools(world, project);
    await own.permission('invoice:read');
    await world.drainStream();
    const before = world.events().length;
    for (const permissions of [[], [], ['invoice:read']])
      await own.roles.set({ role: 'clerk', permissions });
    await own.roles.set({ role: 'clerk', permissions: ['invoice:read'], name: 'Clerk' });
    await own.roles.set({ role: 'admin', permissions: ['invoice:read'] });
    await own.roles.set({ role: 'payer', permissions: [] });
    for (const inherits of [['payer'], []])
      await own.roles.set({ role: 'clerk', permissions: ['invoice:read'], inherits });
    await world.drainStream();
    const events = world.events().slice(before);
    // Only changed fields have previous values.
    expect(events.map(({ previous }) => previous)).toEqual([
      ...[undefined, { permissions: [] }],
      ...[undefined, { permissions: [] }],
      ...[undefined, { inherits: [] }, { inherits: ['payer'] }],
    ]);
    expect(events).toMatchObject([
      { type: 'role.created', data: { role: 'clerk', permissions: [], inherits: [] } },
      { type: 'role.updated', data: { permissions: ['invoice:read'], inherits: [] } },
      { type: 'role.updated', data: { role: 'clerk', permissions: ['invoice:read'] } },
      { type: 'role.updated', data: { role: 'admin', permissions: ['invoice:read'] } },
      { type: 'role.created', data: { role: 'payer', permissions: [], inherits: [] } },
      { type: 'role.updated', data: { role: 'clerk', inherits: ['payer'] } },
      { type: 'role.updated', data: { role: 'clerk', inherits: [] } },
    ]);
  });

  test('has an entity tag if it is built in and the project has not changed it', async () => {
    const project = await world.newProject();
    const own = roleTools(world, project);
    const { headers } = await own.roles.get({ role: 'admin' });
    const ifMatch = { headers: { 'if-match': headers.get('etag') ?? '' } };
    const change = { role: 'admin', permissions: [], name: 'Administrator' };
    expect((await own.roles.set(change, ifMatch)).status).toBe(200);
    expectProblem(
      await own.roles.set({ role: 'admin', permissions: [] }, ifMatch),
      'precondition_failed',
    );
    expect((await own.roles.get({ role: 'admin' })).body.name).toBe('Administrator');
  });

  test('400 with every invalid permission and role', async () => {
    await permission('invoice:read');
    const permissions = ['invoice:read', 'invoice:gone', 'workspace:delete', 'ownership:end'];
    const inherits = ['ghost', 'wrong'];
    const refused = await roles.set({ role: 'wrong', permissions, inherits });
    expectInvalid(
      refused,
      ...[1, 2, 3].map((i) => `/body/permissions/${i}`),
      ...[0, 1].map((i) => `/body/inherits/${i}`),
    );
    expectInvalid(await roles.set({ role: 'owner', permissions: [] }), '/path/role');
    // Lower-case letters and digits alone: what is wrong is the beginning, or the length.
    for (const role of ['1st', 'x'.repeat(33)])
      expectProblem(await roles.set({ role, permissions: [] }), 'invalid_request', {
        errors: [
          { pointer: '/path/role', detail: expect.stringMatching(/1 to 32 .* letter first/) },
        ],
      });
  });

  test('409 beyond the limit, for which admin and member do not count', async () => {
    const project = await world.newProject();
    const { roles: own } = roleTools(world, project);
    const most = limits.rolesPerProject;
    const names = ['admin', 'member', ...Array.from({ length: most - 1 }, (_, i) => `role-${i}`)];
    const stored = Object.fromEntries(names.map((name) => [name, { permissions: [] }]));
    await storeDefinitions(world, project.project_id, { roles: stored });
    expect((await own.set({ role: 'last', permissions: [] })).status).toBe(201);
    expectProblem(await own.set({ role: 'more', permissions: [] }), 'role_limit_reached');
    expect((await own.set({ role: 'role-1', name: 'One', permissions: [] })).status).toBe(200);
  });

  test('400 if all roles of the project together become too large', async () => {
    const project = await world.newProject();
    const own = roleTools(world, project);
    const description = 'x'.repeat(limits.roleDefinitions - 150);
    await storeDefinitions(world, project.project_id, {
      permissions: { 'invoice:read': { description } },
    });
    expect((await own.roles.set({ role: 'small', permissions: [] })).status).toBe(201);
    const large = { role: 'large', description: 'x'.repeat(150), permissions: [] };
    expectInvalid(await own.roles.set(large), '/body');
  });
});

test('concurrent requests all define their role', async () => {
  const { roles: own } = roleTools(world, await world.newProject());
  const names = Array.from({ length: 8 }, (_, i) => `role-${i}`);
  const answers = await Promise.all(names.map((role) => own.set({ role, permissions: [] })));
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
  const { body } = await own.list();
  expect(body.result.slice(3).map(({ role }: { role: string }) => role)).toEqual(names);
});
