import { expect, test } from 'vitest';
import { aWorkspace } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;

test('200 with the same response for the backend, the owner, an admin and a member', async () => {
  const workspace = await world.workspace({ name: 'Acme', description: 'Things' });
  const admin = await world.member(workspace, 'admin');
  const member = await world.member(workspace);
  const { workspace_id, owner } = workspace;
  const { status, body } = await as(project).workspaces.get({ workspace_id });
  expect(status).toBe(200);
  expect(body).toEqual(
    aWorkspace(owner.user, { workspace_id, description: 'Things', total_member_count: 3 }),
  );
  for (const { bearer } of [owner, admin, member])
    expect((await as(bearer).workspaces.get({ workspace_id })).body).toEqual(body);
});
