import { expect, test } from 'vitest';
import { anApiKey, workspaceKey } from '../../support/api-keys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();

test('200 for managers and the backend, each key with created_by and the day of its last use', async () => {
  const place = await world.workspace();
  const { workspace_id, owner } = place;
  const admin = await world.member(place, 'admin');
  const { bearer } = await workspaceKey(world, place);
  await world.as(bearer).workspaces.get({ workspace_id });
  const made = { role: 'member', created_by: owner.uid };
  const result = [anApiKey({ ...made, last_used_on: new Date().toISOString().slice(0, 10) })];
  for (const by of [owner, admin, world.project])
    expect((await world.as(by).workspaceKeys.list({ workspace_id })).body).toEqual({
      ...{ total: 1, count: 1 },
      result,
    });
});
