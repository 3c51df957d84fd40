import { afterEach, expect, test, vi } from 'vitest';
import { anApiKey, userKey } from '../../support/api-keys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
afterEach(() => {
  vi.useRealTimers();
});

test('200 the live keys of the caller alone, oldest first, each with the day of its last use', async () => {
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
