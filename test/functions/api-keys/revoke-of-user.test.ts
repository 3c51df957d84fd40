import { expect, test } from 'vitest';
import { userKey } from '../../support/api-keys.ts';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const backend = world.as(world.project);

test('200 the key is refused and unlisted from then on, and an event has the backend as the actor', async () => {
  const ada = await world.user();
  const { uid } = ada;
  const [{ key_id, bearer }, other] = [await userKey(world, ada), await userKey(world, ada)];
  const bob = await world.user();
  expectProblem(await backend.apiKeys.revokeOfUser({ uid: bob.uid, key_id }), 'not_found');
  expect((await world.as(bearer).users.getMe()).status).toBe(200);
  const revoked = await backend.apiKeys.revokeOfUser({ uid, key_id });
  expect([revoked.status, revoked.body]).toEqual([200, { key_id, revoked_at: aTime() }]);
  expectProblem(await world.as(bearer).users.getMe(), 'unauthenticated');
  expect((await world.as(other.bearer).users.getMe()).status).toBe(200);
  expect((await world.as(ada).apiKeys.list()).body.total).toBe(1);
  await world.drainStream();
  const event = world.events().find(({ type }) => type === 'user.api_key.revoked');
  expect(event).toMatchObject({ actor: { kind: 'key' }, data: { user_id: uid, key_id } });
  expectProblem(await backend.apiKeys.revokeOfUser({ uid, key_id }), 'not_found');
});

test('concurrent requests of the user and the backend revoke the key once', async () => {
  const ada = await world.user();
  const { uid } = ada;
  const { key_id } = await userKey(world, ada);
  const both = await Promise.all([
    backend.apiKeys.revokeOfUser({ uid, key_id }),
    world.as(ada).apiKeys.revoke({ key_id }),
  ]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
});
