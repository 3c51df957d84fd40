import { expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { anApiKey, userKey } from '../../support/api-keys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const backend = world.as(world.project);
test('200 lists only the valid keys of the user, oldest first, as the user sees them', async () => {
  const [ada, bob] = [await world.user(), await world.user()];
  await userKey(world, bob);
  const permissions = ['workspace:read'];
  const first = await userKey(world, ada, { name: 'first', permissions, metadata: { a: 1 } });
  await userKey(world, ada, { name: 'second', expires_in: 60 });
  await world.as(first.bearer).users.getMe();
  const { uid } = ada;
  const { status, body } = await backend.apiKeys.listOfUser({ uid });
  expect([status, body]).toEqual([200, (await world.as(ada).apiKeys.list()).body]);
  const used = { name: 'first', permissions, metadata: { a: 1 }, last_used_on: expect.any(String) };
  expect(body.result[0]).toEqual(anApiKey(used));
  expect(JSON.stringify(body)).not.toContain('wuk_');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  expect((await backend.apiKeys.listOfUser({ uid })).body.total).toBe(1);
});

test('200 omits keys that a password reset by mail ended, and lists the keys of a disabled user', async () => {
  const ada = await world.user();
  const { uid } = ada;
  await userKey(world, ada, { name: 'ended' });
  await world.table.update(keys.user(uid), { key_generation: 1 });
  await userKey(world, ada, { name: 'works' });
  await backend.users.update({ uid, disabled: true });
  const { result } = (await backend.apiKeys.listOfUser({ uid })).body;
  expect(result.map(({ name }: { name: string }) => name)).toEqual(['works']);
});
