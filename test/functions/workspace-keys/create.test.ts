import { expect, test } from 'vitest';
import { anApiKey, aWorkspaceKey, workspaceKey } from '../../support/api-keys.ts';
import { expectInvalid, expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();

test('201 returns the key once, with the role member; it works in the workspace', async () => {
  const { workspace_id, owner } = await world.workspace();
  const made = await world.as(owner).workspaceKeys.create({ workspace_id, name: 'CI' });
  const shown = anApiKey({ role: 'member', created_by: owner.uid, key: aWorkspaceKey() });
  expect([made.status, made.body]).toEqual([201, shown]);
  const got = await world.as(`Bearer ${made.body.key}`).workspaces.get({ workspace_id });
  expect([got.status, got.body.workspace_id]).toEqual([200, workspace_id]);
});

test('201 for the backend has no created_by, and the role admin if it has permissions', async () => {
  const { workspace_id } = await world.workspace();
  const permissions = ['member:list-pending'];
  const { body } = await world
    .as(world.project)
    .workspaceKeys.create({ workspace_id, name: 'CI', permissions });
  expect(body).toEqual(anApiKey({ role: 'admin', permissions, key: aWorkspaceKey() }));
});

test('409 for the 21st key', async () => {
  const place = await world.workspace();
  for (let i = 0; i < 20; i += 1) await workspaceKey(world, place);
  const { owner, workspace_id } = place;
  const refused = await world.as(owner).workspaceKeys.create({ workspace_id, name: 'CI' });
  expectProblem(refused, 'api_key_limit_reached');
});

test('403 nobody can create or rotate a key with more permissions than their own', async () => {
  const project = await world.newProject();
  const place = await world.workspace({ owner: await world.user({ project }) });
  const { workspace_id } = place;
  await world.as(project).roles.set({ role: 'keeper', permissions: ['api-key:manage'] });
  const keeper = await world.user({ project });
  await world.as(project).members.add({ workspace_id, user_id: keeper.uid, role: 'keeper' });
  const create = (given: object) =>
    world.as(keeper).workspaceKeys.create({ workspace_id, name: 'CI', ...given });
  const refused = await create({ role: 'admin' });
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  expect(refused.body.missing).toContain('member:add');
  expect((await create({ permissions: ['member:add'] })).status).toBe(403);
  expect((await create({ permissions: ['api-key:manage', 'workspace:read'] })).status).toBe(201);
  await world.as(project).permissions.set({ permission: 'invoice:read' });
  expect((await create({ permissions: ['invoice:read'] })).body.missing).toEqual(['invoice:read']);
  const wrong = await create({ permissions: ['invoice:read', 'invoice:gone', 'member:gone'] });
  expectInvalid(wrong, '/body/permissions/1', '/body/permissions/2');
  expect((await create({})).status).toBe(201);
  const { key_id } = await workspaceKey(world, place, { role: 'admin' });
  const rotated = await world.as(keeper).workspaceKeys.rotate({ workspace_id, key_id });
  expect([rotated.status, rotated.body.code]).toEqual([403, 'forbidden']);
  expect((await world.as(keeper).workspaceKeys.revoke({ workspace_id, key_id })).status).toBe(200);
});
