import { expect, test } from 'vitest';
import { workspaceKey } from '../../support/api-keys.ts';
import { expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();

test('200 returns a new key with the same id, role and permissions', async () => {
  const place = await world.workspace();
  const { workspace_id } = place;
  const limits = { role: 'admin', permissions: ['workspace:read'] };
  const { key_id, bearer } = await workspaceKey(world, place, limits);
  const rotate = { workspace_id, key_id, overlap: 0 };
  const { status, body } = await world.as(world.project).workspaceKeys.rotate(rotate);
  expect([status, body]).toMatchObject([200, { key_id, ...limits }]);
  const get = (auth: string) => world.as(auth).workspaces.get({ workspace_id });
  expect((await get(`Bearer ${body.key}`)).status).toBe(200);
  expectProblem(await get(bearer), 'unauthenticated');
});
