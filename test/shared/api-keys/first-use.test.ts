/**
 * @module-tag engine
 * @module-tag alone
 */
import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { invoke } from '../../../local/aws/lambda.ts';
import { fromSource } from '../../../local/load.ts';
import { type MadeKey, userKey, workspaceKey } from '../../support/api-keys.ts';
import { anId } from '../../support/expectations.ts';
import { queued } from '../../support/queued.ts';
import { pass } from '../../support/started.ts';
import { streamRecord } from '../../support/stream-record.ts';
import { startWorld } from '../../support/world.ts';

type Item = Record<string, unknown>;

const world = await startWorld();
const handler = await fromSource('stream.consume');
const isFirstUse = ({ type }: { type: string }) => type.endsWith('.api_key.first_used');

/** The published events of this key, oldest first. */
async function eventsOf({ key_id }: MadeKey) {
  await world.drainStream();
  return world.events().filter(({ data }) => data['key_id'] === key_id);
}
const firstUsesOf = async (key: MadeKey) => (await eventsOf(key)).filter(isFirstUse);

async function useOf(owner_id: string, { key_id }: MadeKey): Promise<Item> {
  const use = await world.table.get(keys.apiKeyUse(owner_id, key_id));
  if (!use) throw new Error(`The use of ${key_id} is not recorded.`);
  return use;
}

/** Delivers the stream record of a new item to the function again. */
async function bring(item: Item, number: number) {
  world.permissions.useStream('stream.consume');
  const record = streamRecord({ after: item }, number);
  const answer = await invoke('stream.consume', handler, queued([record]), 60_000);
  expect(answer).toEqual({ batchItemFailures: [] });
}

test("the first request with a user's key is an event by the key in the user's log; later ones are not", async () => {
  const ada = await world.user();
  const { uid: user_id } = ada;
  const made = await userKey(world, ada);
  expect(await firstUsesOf(made)).toEqual([]);
  const before = new Date().toISOString();
  const use = () => world.as(made.bearer).users.getMe();
  await Promise.all([use(), use(), use()]);
  const { key_id } = made;
  const [first] = await firstUsesOf(made);
  expect(first).toEqual({
    ...{ id: anId('evt-'), type: 'user.api_key.first_used', time: expect.any(String) },
    project_id: world.project.project_id,
    actor: { kind: 'api_key', id: key_id, user_id },
    data: { user_id, key_id },
  });
  expect(Date.parse(first?.time ?? '')).toBeGreaterThanOrEqual(Date.parse(before));
  for (const days of [1, 2]) {
    pass(days * 86_400_000);
    await use();
  }
  expect(await firstUsesOf(made)).toHaveLength(1);
  const { body } = await world.as(world.project).users.export({ uid: user_id });
  expect(body.events.filter(isFirstUse)).toEqual([first]);
});

test("the first use of a workspace's key is in its audit log, after the key's creation", async () => {
  const place = await world.workspace();
  const { workspace_id, owner } = place;
  const made = await workspaceKey(world, place);
  await world.as(made.bearer).workspaces.get({ workspace_id });
  const [created, used, ...rest] = await eventsOf(made);
  expect([created?.type, rest]).toEqual(['workspace.api_key.created', []]);
  const { key_id } = made;
  expect(used).toMatchObject({
    ...{ type: 'workspace.api_key.first_used', workspace_id, data: { key_id } },
    actor: { kind: 'api_key', id: key_id, workspace_id },
  });
  const log = (await world.as(owner).events.listOfWorkspace({ workspace_id })).body.result;
  expect(log.at(-1)?.event).toEqual(used);
});

test('a request refused for a missing permission is a use; a verification or a refused key is not', async () => {
  const ada = await world.user();
  const permissions = ['member:read'];
  const made = await userKey(world, ada, { permissions });
  await world.as(world.project).apiKeys.verify({ key: made.key });
  expect((await world.as(`${made.bearer}x`).users.getMe()).status).toBe(401);
  expect((await world.as(made.bearer).apiKeys.list()).status).toBe(401);
  expect(await firstUsesOf(made)).toEqual([]);
  expect((await world.as(made.bearer).workspaces.list()).status).toBe(403);
  expect(await firstUsesOf(made)).toHaveLength(1);
});

test('a repeated stream record is one event, even if the key was revoked before', async () => {
  const ada = await world.user();
  const made = await userKey(world, ada);
  await world.as(made.bearer).users.getMe();
  const use = await useOf(ada.uid, made);
  await world.as(ada).apiKeys.revoke({ key_id: made.key_id });
  for (let i = 0; i < 3; i += 1) await bring(use, i);
  const types = (await eventsOf(made)).map(({ type }) => type);
  expect(types).toEqual(['created', 'revoked', 'first_used'].map((what) => `user.api_key.${what}`));
  // A request in flight writes the day again.
  await world.table.put(use);
  expect(await firstUsesOf(made)).toHaveLength(1);
  expect(await world.table.get(keys.apiKeyUse(ada.uid, made.key_id))).toBeUndefined();
});

test("a deleted owner's key has no event; the record of use expires with its key", async () => {
  const ada = await world.user();
  const made = await userKey(world, ada, { expires_in: 3_600 });
  await world.as(made.bearer).users.getMe();
  const use = await useOf(ada.uid, made);
  const [key] = await world.table.query(keys.user(ada.uid).pk, 'API_KEY#');
  expect(use).toMatchObject({ expires_at: key?.['expires_at'] });
  await world.as(world.project).users.delete({ uid: ada.uid });
  await bring(use, 1);
  expect(await firstUsesOf(made)).toEqual([]);
});
