import { expect, test } from 'vitest';
import { workspaceKey } from '../../support/api-keys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();

test('200 a manager renames the key; the backend changes metadata, which a manager reads', async () => {
  const place = await world.workspace();
  const { workspace_id } = place;
  const admin = world.as(await world.member(place, 'admin')).workspaceKeys;
  const { key_id } = await workspaceKey(world, place, { metadata: { team: 'a' } });
  const renamed = await admin.update({ workspace_id, key_id, name: 'new' });
  expect([renamed.status, renamed.body]).toMatchObject([200, { key_id, name: 'new' }]);
  const metadata = { team: 'b' };
  const ours = world.as(world.project).workspaceKeys;
  const changed = await ours.update({ workspace_id, key_id, metadata });
  expect(changed.body).toMatchObject({ name: 'new', metadata });
  const [key] = (await admin.list({ workspace_id })).body.result;
  expect(key).toMatchObject({ key_id, metadata });
});
