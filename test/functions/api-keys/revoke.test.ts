import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { userKey } from '../../support/api-keys.ts';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();

test('200 the next request with the key is refused, and nothing about it stays in the table', async () => {
  const ada = await world.user();
  const { key_id, bearer } = await userKey(world, ada);
  const other = await userKey(world, ada);
  expect((await world.as(bearer).users.getMe()).status).toBe(200);
  const revoked = await world.as(ada).apiKeys.revoke({ key_id });
  expect([revoked.status, revoked.body]).toEqual([200, { key_id, revoked_at: aTime() }]);
  expectProblem(await world.as(bearer).users.getMe(), 'unauthenticated');
  expect((await world.as(other.bearer).users.getMe()).status).toBe(200);
  expectProblem(await world.as(ada).apiKeys.revoke({ key_id }), 'not_found');
  const stored = (await world.table.all()).filter(({ sk }) => String(sk).includes(key_id));
  expect(stored).toEqual([]);
});

test.each(['revoke', 'rotate', 'update'] as const)(
  '404 to %s a key that a password reset by mail ended',
  async (verb) => {
    const ada = await world.user();
    const { key_id } = await userKey(world, ada);
    await world.table.update(keys.user(ada.uid), { key_generation: 1 });
    const given = verb === 'update' ? { key_id, name: 'nightly' } : { key_id };
    expectProblem(await world.as(ada).apiKeys[verb](given), 'not_found');
  },
);
