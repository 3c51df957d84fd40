import { expect, test } from 'vitest';
import { workspaceKey } from '../../support/api-keys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();

test('200 a manager renames the key', async () => {
  const place = await world.workspace();
  const { workspace_id } = place;
  const admin = await world.member(place, 'admin');
  const { key_id } = await workspaceKey(world, place);
  const renamed = await world.as(admin).workspaceKeys.update({ workspace_id, key_id, name: 'new' });
  expect([renamed.status, renamed.body]).toMatchObject([200, { key_id, name: 'new' }]);
});

test('200 the backend changes metadata, which a manager reads', async () => {
  const place = await world.workspace();
  const { workspace_id } = place;
  const { key_id } = await workspaceKey(world, place, { metadata: { team: 'a' } });
  const metadata = { team: 'b' };
  const changed = await world.as(world.project).workspaceKeys.update({
    ...{ workspace_id, key_id, metadata },
  });
  expect(changed.body).toMatchObject({ name: 'CI', metadata });
  const [key] = (await world.as(place.owner).workspaceKeys.list({ workspace_id })).body.result;
  expect(key).toMatchObject({ key_id, metadata });
});
