import { expect, test } from 'vitest';
import { eventsAbout } from '../../support/recorded-events.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { workspaces } = as(project);

test('the backend writes both kinds of metadata; the owner and an admin read only app_metadata', async () => {
  const place = await world.workspace();
  const { workspace_id, owner } = place;
  const all = { app_metadata: { plan: 'team' }, private_metadata: { score: 3 } };
  const { status, body } = await workspaces.setMetadata({ workspace_id, ...all });
  expect([status, body]).toEqual([200, all]);
  const admin = await world.member(place, 'admin');
  for (const caller of [owner, admin])
    expect((await as(caller).workspaces.getMetadata({ workspace_id })).body).toEqual({
      app_metadata: all.app_metadata,
    });
  const patch = { app_metadata: { seats: 5 }, private_metadata: null };
  const { body: merged } = await workspaces.mergeMetadata({ workspace_id, ...patch });
  expect(merged).toEqual({ app_metadata: { plan: 'team', seats: 5 } });
  expect((await workspaces.getMetadata({ workspace_id })).body).toEqual(merged);
  const [last] = await eventsAbout(world, 'workspace.metadata_changed', workspace_id);
  expect(last?.data).toEqual({ fields: ['app_metadata', 'private_metadata'], ...merged });
});
