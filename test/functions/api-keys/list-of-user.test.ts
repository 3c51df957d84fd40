import { expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { anApiKey, userKey } from '../../support/api-keys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const backend = world.as(world.project);

test('200 lists only the valid keys of the user, oldest first, as the user sees them, and even if disabled', async () => {
  const [ada, bob] = [await world.user(), await world.user()];
  const { uid } = ada;
  await userKey(world, bob);
  await userKey(world, ada, { name: 'ended' });
  await world.table.update(keys.user(uid), { key_generation: 1 });
  const given = { name: 'first', permissions: ['workspace:read'], metadata: { a: 1 } };
  const first = await userKey(world, ada, given);
  await userKey(world, ada, { name: 'second', expires_in: 60 });
  await world.as(first.bearer).users.getMe();
  const list = async () => (await backend.apiKeys.listOfUser({ uid })).body;
  const listed = await list();
  expect(listed).toEqual((await world.as(ada).apiKeys.list()).body);
  expect(listed).toMatchObject({ total: 2, result: [{}, { name: 'second' }] });
  const used = anApiKey({ ...given, last_used_on: expect.any(String) });
  expect(listed.result[0]).toEqual(used);
  expect(JSON.stringify(listed)).not.toContain('wuk_');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  await backend.users.update({ uid, disabled: true });
  expect((await list()).result).toEqual([used]);
});
