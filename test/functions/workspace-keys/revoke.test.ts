import { expect, test } from 'vitest';
import { workspaceKey } from '../../support/api-keys.ts';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();

test('200 the next request with the key is refused', async () => {
  const place = await world.workspace();
  const { workspace_id, owner } = place;
  const { key_id, bearer } = await workspaceKey(world, place);
  const get = () => world.as(bearer).workspaces.get({ workspace_id });
  expect((await get()).status).toBe(200);
  const revoked = await world.as(owner).workspaceKeys.revoke({ workspace_id, key_id });
  expect([revoked.status, revoked.body]).toEqual([200, { key_id, revoked_at: aTime() }]);
  expectProblem(await get(), 'unauthenticated');
});

test('a key keeps working after the member who created it has left', async () => {
  const place = await world.workspace();
  const { workspace_id } = place;
  const admin = await world.member(place, 'admin');
  const made = await world.as(admin).workspaceKeys.create({ workspace_id, name: 'CI' });
  await world.as(admin).members.remove({ workspace_id, user_id: admin.uid });
  const got = await world.as(`Bearer ${made.body.key}`).workspaces.get({ workspace_id });
  expect(got.status).toBe(200);
  const { key_id } = made.body;
  expectProblem(await world.as(admin).workspaceKeys.revoke({ workspace_id, key_id }), 'not_found');
});
