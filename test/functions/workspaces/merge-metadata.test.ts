import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const { workspaces } = world.as(project);

test('200 merges into each object, and null clears it', async () => {
  const { workspace_id } = await world.workspace();
  await workspaces.setMetadata({ workspace_id, private_metadata: { a: 1, b: 2 } });
  const patch = { app_metadata: { plan: 'team' }, private_metadata: { a: null } };
  const { status, body } = await workspaces.mergeMetadata({ workspace_id, ...patch });
  const both = { app_metadata: { plan: 'team' }, private_metadata: { b: 2 } };
  expect([status, body]).toEqual([200, both]);
  const cleared = { app_metadata: null, private_metadata: null };
  expect((await workspaces.mergeMetadata({ workspace_id, ...cleared })).body).toEqual({});
  expect(await world.table.get(keys.workspaceMetadata(workspace_id))).toBeUndefined();
});
