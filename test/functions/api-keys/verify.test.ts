import { expect, test, vi } from 'vitest';
import { newKeyText } from '#shared/access/api-key-text.ts';
import { apiKeys } from '#shared/contract/api-keys.ts';
import { newApiKeyId } from '#shared/model/ids.ts';
import { type Action, policy } from '#shared/model/policy.ts';
import { userKey, workspaceKey } from '../../support/api-keys.ts';
import { aTime, unknownId, unknownWorkspaceId } from '../../support/expectations.ts';
import { roleTools } from '../../support/roles.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const verify = async (key: string, by = world.project) =>
  (await world.as(by).apiKeys.verify({ key })).body;
const invalid = { valid: false };

test("200 for a user's key returns the user, the permissions and the expiry", async () => {
  const { uid, ...rest } = await world.user();
  const ada = { uid, ...rest };
  const free = await userKey(world, ada);
  expect(await verify(free.key)).toEqual({ valid: true, key_id: free.key_id, name: 'CI', uid });
  const permissions = ['workspace:read'];
  const limited = await userKey(world, ada, { permissions, expires_in: 600 });
  expect(await verify(limited.key)).toEqual({
    ...{ valid: true, key_id: limited.key_id, name: 'CI', uid, permissions },
    expires_at: aTime(),
  });
});

test('200 without a workspace returns the permissions that the user chose, even those that the user lacks', async () => {
  const user = await world.user();
  const permissions = ['member:add'];
  const { key } = await userKey(world, user, { permissions });
  expect(await verify(key)).toMatchObject({ valid: true, uid: user.uid, permissions });
  const { workspace_id } = await world.workspace();
  const { body } = await world.as(world.project).apiKeys.verify({ key, workspace_id });
  expect(body).toMatchObject({ valid: true, uid: user.uid, permissions: [] });
  const text = JSON.stringify(apiKeys.verify.response.toJSONSchema());
  expect(text).toContain('so they grant nothing');
});

test("200 for a workspace's key returns its role and its permissions", async () => {
  const place = await world.workspace();
  const { workspace_id } = place;
  const whole = await workspaceKey(world, place, { role: 'admin' });
  const of = { valid: true, name: 'CI', workspace_id, role: 'admin' };
  expect(await verify(whole.key)).toEqual({
    ...{ ...of, key_id: whole.key_id },
    permissions: (Object.keys(policy) as Action[]).filter(
      (action) => policy[action].admin === 'allow',
    ),
  });
  const permissions = ['member:read', 'workspace:delete'];
  const limited = await workspaceKey(world, place, { permissions });
  // Only the owner may delete a workspace.
  expect(await verify(limited.key)).toEqual({
    ...{ ...of, key_id: limited.key_id },
    permissions: ['member:read'],
  });
});

test('200 includes the metadata of a valid key', async () => {
  const [ada, place] = [await world.user(), await world.workspace()];
  const metadata = { plan: 'pro' };
  const ofUser = await userKey(world, ada, { metadata });
  const ofWorkspace = await workspaceKey(world, place, { metadata });
  for (const { key } of [ofUser, ofWorkspace])
    expect(await verify(key)).toMatchObject({ metadata });
  const { workspace_id } = place;
  const asked = await world.as(world.project).apiKeys.verify({ key: ofUser.key, workspace_id });
  expect(asked.body).toMatchObject({ metadata });
  await world.as(ada).apiKeys.revoke({ key_id: ofUser.key_id });
  expect(await verify(ofUser.key)).toEqual(invalid);
});

test("200 returns what a user's key may do in a workspace now, which is never more than the user may do", async () => {
  const project = await world.newProject();
  const { define, permission, roles } = roleTools(world, project);
  const backend = world.as(project);
  await permission('invoice:read', 'invoice:pay', 'report:read');
  await define('clerk', ['invoice:read', 'invoice:pay']);
  const place = await world.workspace({ owner: await world.user({ project }) });
  const { workspace_id } = place;
  const ada = await world.user({ project });
  await backend.members.add({ workspace_id, user_id: ada.uid, role: 'clerk' });
  const { key } = await userKey(world, ada, { permissions: ['invoice:read', 'report:read'] });
  const free = await userKey(world, ada);
  const ask = async (text = key, id = workspace_id) =>
    (await backend.apiKeys.verify({ key: text, workspace_id: id })).body;
  const there = { valid: true, uid: ada.uid, workspace_id, role: 'clerk' };
  expect(await ask()).toMatchObject({ ...there, permissions: ['invoice:read'] });
  expect((await ask(free.key)).permissions).toEqual(
    expect.arrayContaining(['workspace:read', 'invoice:read', 'invoice:pay']),
  );
  await roles.set({ role: 'clerk', permissions: ['invoice:pay'] });
  expect(await ask()).toMatchObject({ ...there, permissions: [] });
  const stranger = await ask(key, unknownWorkspaceId);
  expect(stranger).toMatchObject({
    valid: true,
    workspace_id: unknownWorkspaceId,
    permissions: [],
  });
  expect(stranger).not.toHaveProperty('role');
});

test("200 a workspace's key has the permissions that the project still defines, and is invalid in another workspace", async () => {
  const project = await world.newProject();
  const { permission, permissions } = roleTools(world, project);
  const backend = world.as(project);
  await permission('invoice:read', 'invoice:pay');
  const place = await world.workspace({ owner: await world.user({ project }) });
  const limited = ['invoice:read', 'invoice:pay', 'member:read'];
  const { key } = await workspaceKey(world, place, { permissions: limited });
  const ask = async (given: object = {}) => (await backend.apiKeys.verify({ key, ...given })).body;
  expect((await ask({ workspace_id: place.workspace_id })).permissions).toEqual(limited);
  await permissions.delete({ permission: 'invoice:pay' });
  expect((await ask()).permissions).toEqual(['invoice:read', 'member:read']);
  expect(await ask({ workspace_id: unknownWorkspaceId })).toEqual(invalid);
});

test('200 with valid false for a key that is revoked, expired, unknown, malformed or of another project', async () => {
  const ada = await world.user();
  const { key, key_id } = await userKey(world, ada);
  const passing = await userKey(world, ada, { expires_in: 60 });
  expect(await verify(key, await world.newProject())).toEqual(invalid);
  const unknown = [
    newKeyText('user', ada.uid, key_id),
    newKeyText('user', ada.uid, newApiKeyId(new Date())),
    newKeyText('user', unknownId, key_id),
    newKeyText('workspace', `wid-${unknownId}`, key_id),
    newKeyText('workspace', `wid-${ada.uid}`, key_id),
  ];
  for (const each of [
    ...unknown,
    '',
    'x',
    key.slice(0, -1),
    ada.access_token,
    world.project.secret,
  ])
    expect(await verify(each)).toEqual(invalid);
  await world.as(ada).apiKeys.revoke({ key_id });
  expect(await verify(key)).toEqual(invalid);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  expect(await verify(passing.key)).toEqual(invalid);
});

test('200 with valid false while the user is disabled, and after the user is deleted', async () => {
  const ada = await world.user();
  const { key } = await userKey(world, ada);
  const disable = (disabled: boolean) =>
    world.as(world.project).users.update({ uid: ada.uid, disabled });
  await disable(true);
  expect(await verify(key)).toEqual(invalid);
  await disable(false);
  expect(await verify(key)).toMatchObject({ valid: true });
  await world.as(world.project).users.delete({ uid: ada.uid });
  expect(await verify(key)).toEqual(invalid);
});

test('200 with valid false once the workspace is deleted', async () => {
  const place = await world.workspace();
  const { workspace_id } = place;
  const { key } = await workspaceKey(world, place);
  await world.as(place.owner).workspaces.delete({ workspace_id });
  expect(await verify(key)).toEqual(invalid);
});
