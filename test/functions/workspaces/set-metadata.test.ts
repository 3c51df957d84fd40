import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const { workspaces } = world.as(project);

test('metadata expires with a deleted workspace, and is restored with it', async () => {
  const { workspace_id } = await world.workspace();
  await workspaces.setMetadata({ workspace_id, app_metadata: { plan: 'team' } });
  const stored = () => world.table.get(keys.workspaceMetadata(workspace_id));
  await workspaces.delete({ workspace_id });
  await world.drainStream();
  expectProblem(await workspaces.getMetadata({ workspace_id }), 'not_found');
  const patch = { workspace_id, app_metadata: { a: 1 } };
  expectProblem(await workspaces.mergeMetadata(patch), 'not_found');
  const { expires_at } = (await world.table.get(keys.workspace(workspace_id))) ?? {};
  expect(await stored()).toMatchObject({ expires_at });
  await workspaces.restore({ workspace_id });
  await world.drainStream();
  expect(await stored()).not.toHaveProperty('expires_at');
  const { body } = await workspaces.getMetadata({ workspace_id });
  expect(body).toEqual({ app_metadata: { plan: 'team' } });
});
