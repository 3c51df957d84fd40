import { expect, test, vi } from 'vitest';
import { anApiKey, aUserKey, userKey } from '../../support/api-keys.ts';
import { aTime } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const works = async (key: string) => (await world.as(`Bearer ${key}`).users.getMe()).status === 200;

test('200 returns a new key; the previous one works for another day', async () => {
  const ada = await world.user();
  const { key_id, key } = await userKey(world, ada);
  const rotated = await world.as(ada).apiKeys.rotate({ key_id });
  const previous_expires_at = aTime();
  expect([rotated.status, rotated.body]).toEqual([
    200,
    anApiKey({ key_id, key: aUserKey(), previous_expires_at }),
  ]);
  expect(rotated.body.key).not.toBe(key);
  expect([await works(key), await works(rotated.body.key)]).toEqual([true, true]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_401_000 });
  expect([await works(key), await works(rotated.body.key)]).toEqual([false, true]);
  const again = await world.session(ada.uid);
  expect((await world.as(again).apiKeys.list()).body.result).toEqual([
    anApiKey({ key_id, last_used_on: expect.any(String) }),
  ]);
});

test('200 with an overlap of 0 ends every previous key immediately', async () => {
  const ada = await world.user();
  const { key_id, key } = await userKey(world, ada);
  const { apiKeys } = world.as(ada);
  const second = (await apiKeys.rotate({ key_id })).body.key;
  const { body } = await apiKeys.rotate({ key_id, overlap: 0 });
  expect(await Promise.all([key, second, body.key].map(works))).toEqual([false, false, true]);
  expect(body.previous_expires_at).toBeUndefined();
});

test('200 the previous key never works longer than the new one', async () => {
  const ada = await world.user();
  const { key_id } = await userKey(world, ada, { expires_in: 60 });
  const { body } = await world.as(ada).apiKeys.rotate({ key_id });
  expect(body.previous_expires_at).toBe(body.expires_at);
});

test('200 repeated rotations keep the newest five keys working, so that a retry ends none that is in use', async () => {
  const ada = await world.user();
  const { key_id, key } = await userKey(world, ada);
  const texts = [key];
  for (let i = 0; i < 5; i += 1)
    texts.push((await world.as(ada).apiKeys.rotate({ key_id })).body.key);
  const working = await Promise.all(texts.map(works));
  expect(working).toEqual([false, true, true, true, true, true]);
});

test('200 for two concurrent rotations: both new keys and the previous one work', async () => {
  const ada = await world.user();
  const { key_id, key } = await userKey(world, ada);
  const both = await Promise.all([1, 2].map(() => world.as(ada).apiKeys.rotate({ key_id })));
  for (const text of [key, ...both.map(({ body }) => body.key)])
    expect(await works(text)).toBe(true);
});
