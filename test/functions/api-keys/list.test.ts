import { expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { anApiKey, userKey } from '../../support/api-keys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
test('200 lists only the valid keys of the caller, oldest first, each with the day of its last use', async () => {
  const [ada, bob] = [await world.user(), await world.user()];
  await userKey(world, bob);
  const first = await userKey(world, ada, { name: 'first' });
  await userKey(world, ada, { name: 'second', expires_in: 60 });
  await world.as(first.bearer).users.getMe();
  const list = async () => (await world.as(ada).apiKeys.list()).body;
  const used = { name: 'first', last_used_on: new Date().toISOString().slice(0, 10) };
  expect(await list()).toEqual({
    ...{ total: 2, count: 2 },
    result: [anApiKey(used), anApiKey({ name: 'second', expires_at: expect.any(String) })],
  });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  expect((await list()).result).toEqual([anApiKey(used)]);
});

test('200 omits keys that a password reset by mail ended', async () => {
  const ada = await world.user();
  await userKey(world, ada, { name: 'ended' });
  await world.table.update(keys.user(ada.uid), { key_generation: 1 });
  expect((await world.as(ada).apiKeys.list()).body).toEqual({ total: 0, count: 0, result: [] });
  // They are stored until the next is made, so an export has them.
  const exported = await world.as(ada).users.export({ uid: ada.uid });
  expect(exported.body.api_keys).toEqual([anApiKey({ name: 'ended' })]);
  await userKey(world, ada);
  expect((await world.as(ada).apiKeys.list()).body.result).toEqual([anApiKey()]);
});
