import { afterEach, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { anApiKey, aUserKey, userKey, workspaceKey } from '../../support/api-keys.ts';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test('201 returns the key once; the table stores only its digest', async () => {
  const ada = await world.user();
  const made = await world.as(ada).apiKeys.create({ name: 'CI' });
  expect([made.status, made.body]).toEqual([201, anApiKey({ key: aUserKey() })]);
  const [stored] = await world.table.query(keys.user(ada.uid).pk, 'API_KEY#');
  expect(stored).toMatchObject({ key_id: made.body.key_id, uid: ada.uid, name: 'CI' });
  const all = JSON.stringify(await world.table.all());
  expect(all).not.toContain(made.body.key.slice(50, -6));
  expect((await world.as(`Bearer ${made.body.key}`).users.getMe()).body.uid).toBe(ada.uid);
});

test('201 with permissions and an expiry; the key stops working when it expires', async () => {
  const ada = await world.user();
  const permissions = ['workspace:read', 'member:read'];
  const made = await world.as(ada).apiKeys.create({
    name: 'CI',
    permissions: [...permissions, ...permissions],
    expires_in: 60,
  });
  expect(made.body).toEqual(anApiKey({ permissions, expires_at: aTime(), key: aUserKey() }));
  const me = () => world.as(`Bearer ${made.body.key}`).users.getMe();
  expect((await me()).status).toBe(200);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  expectProblem(await me(), 'unauthenticated');
});

test('201 with metadata, which a rotation keeps and no log contains', async () => {
  const ada = await world.user();
  const metadata = { repository: 'a-name-that-stands-in-no-log', seats: 3 };
  const lines: string[] = [];
  vi.stubEnv('LOG_LEVEL', 'info');
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  const made = await world.as(ada).apiKeys.create({ name: 'CI', metadata });
  expect(made.body).toEqual(anApiKey({ metadata, key: aUserKey() }));
  const rotated = await world.as(ada).apiKeys.rotate({ key_id: made.body.key_id });
  expect(rotated.body).toMatchObject({ metadata });
  const none = await world.as(ada).apiKeys.create({ name: 'CI', metadata: {} });
  expect(none.body).toEqual(anApiKey({ key: aUserKey() }));
  await world.as(world.project).apiKeys.verify({ key: made.body.key });
  expect(lines.join()).toContain('apiKeys.verify');
  expect(lines.join()).not.toContain(metadata.repository);
});

test('20 keys with the largest metadata fit into the list and the export, and are deleted with their user', async () => {
  const ada = await world.user();
  // {"a":""} has 8 bytes.
  const metadata = { a: 'x'.repeat(2_040) };
  for (let i = 0; i < 20; i += 1) await userKey(world, ada, { metadata });
  const { result } = (await world.as(ada).apiKeys.list()).body;
  expect(result).toHaveLength(20);
  for (const each of result) expect(each.metadata).toEqual(metadata);
  const { uid } = ada;
  expect((await world.as(ada).users.export({ uid })).body.api_keys).toEqual(result);
  await world.as(world.project).users.delete({ uid });
  await world.drainStream();
  expect(await world.table.query(keys.user(uid).pk, 'API_KEY#')).toEqual([]);
});

test('409 for the 21st key; a revoked or expired key no longer counts', async () => {
  const ada = await world.user();
  const passing = await userKey(world, ada, { expires_in: 60 });
  const { key_id } = await userKey(world, ada);
  for (let i = 0; i < 18; i += 1) await userKey(world, ada);
  const create = () => world.as(ada).apiKeys.create({ name: 'one more' });
  expectProblem(await create(), 'api_key_limit_reached');
  await world.as(ada).apiKeys.revoke({ key_id });
  expect((await create()).status).toBe(201);
  expectProblem(await create(), 'api_key_limit_reached');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  expect((await create()).status).toBe(201);
  expectProblem(await world.as(passing.bearer).users.getMe(), 'unauthenticated');
});

test('201 for twenty more once all keys were ended together, which also deletes the ended ones', async () => {
  const ada = await world.user();
  const { uid } = ada;
  const first = await userKey(world, ada);
  for (let i = 0; i < 19; i += 1) await userKey(world, ada);
  await world.as(first.bearer).users.getMe();
  await world.table.update(keys.user(uid), { key_generation: 1 });
  const made = [];
  for (let i = 0; i < 20; i += 1) made.push((await userKey(world, ada)).key_id);
  expectProblem(await world.as(ada).apiKeys.create({ name: 'one more' }), 'api_key_limit_reached');
  const stored = await world.table.query(keys.user(uid).pk, 'API_KEY#');
  expect(stored.map(({ key_id }) => key_id)).toEqual(made);
  expect(await world.table.query(keys.apiKeyUse(uid, '').pk, 'DAY#')).toEqual([]);
});

test('201 deletes expired keys of the user or workspace, so that their number stays bounded', async () => {
  const ada = await world.user();
  const place = await world.workspace({ owner: ada });
  const { uid } = ada;
  const { workspace_id } = place;
  const first = await userKey(world, ada, { expires_in: 60 });
  await world.as(first.bearer).users.getMe();
  for (let i = 0; i < 19; i += 1) await userKey(world, ada, { expires_in: 60 });
  for (let i = 0; i < 20; i += 1) await workspaceKey(world, place, { expires_in: 60 });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 70_000 });
  expect((await world.as(ada).users.export({ uid })).body).not.toHaveProperty('api_keys');
  const { key_id } = await userKey(world, ada);
  const of_workspace = await workspaceKey(world, place);
  const storedOf = async (pk: string) =>
    (await world.table.query(pk, 'API_KEY#')).map((each) => each['key_id']);
  expect(await storedOf(keys.user(uid).pk)).toEqual([key_id]);
  expect(await storedOf(keys.workspace(workspace_id).pk)).toEqual([of_workspace.key_id]);
  expect(await world.table.query(keys.apiKeyUse(uid, '').pk, 'DAY#')).toEqual([]);
});

test('30 concurrent requests create 20 keys at most, and the responses agree with that', async () => {
  const ada = await world.user();
  const made = await Promise.all(
    Array.from({ length: 30 }, (_, i) => world.as(ada).apiKeys.create({ name: `no. ${i}` })),
  );
  const live = (await world.as(ada).apiKeys.list()).body.total;
  // A request that timed out may or may not have written.
  const created = made.filter(({ status }) => status === 201).length;
  const unknown = made.filter(({ status }) => status === 503).length;
  expect(live).toBeGreaterThanOrEqual(created);
  expect(live).toBeLessThanOrEqual(Math.min(20, created + unknown));
  for (const { status } of made) expect([201, 409, 503]).toContain(status);
});
