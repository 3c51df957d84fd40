import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { workspaces } = as(project);

/** The events about something, the last ones first. */
async function eventsAbout(type: string, id: string) {
  await world.drainStream();
  const told = world.events().filter((each) => each.type === type);
  return told.filter((each) => JSON.stringify(each).includes(id)).toReversed();
}

test('written by the backend; owner and admins read app_metadata, members nothing', async () => {
  const place = await world.workspace();
  const { workspace_id, owner } = place;
  const all = { app_metadata: { plan: 'team' }, private_metadata: { score: 3 } };
  const { status, body } = await workspaces.setMetadata({ workspace_id, ...all });
  expect([status, body]).toEqual([200, all]);
  const admin = await world.member(place, 'admin');
  for (const who of [owner, admin])
    expect((await as(who).workspaces.getMetadata({ workspace_id })).body).toEqual({
      app_metadata: all.app_metadata,
    });
  const member = await world.member(place);
  expectProblem(await as(member).workspaces.getMetadata({ workspace_id }), 'forbidden');
  const stranger = await world.user();
  expectProblem(await as(stranger).workspaces.getMetadata({ workspace_id }), 'not_found');
  const change = await as(owner).workspaces.setMetadata({ workspace_id, app_metadata: {} });
  expectProblem(change, 'unauthenticated');
  const patch = { app_metadata: { seats: 5 }, private_metadata: null };
  const { body: merged } = await workspaces.mergeMetadata({ workspace_id, ...patch });
  expect(merged).toEqual({ app_metadata: { plan: 'team', seats: 5 } });
  expect((await workspaces.getMetadata({ workspace_id })).body).toEqual(merged);
  const [last] = await eventsAbout('workspace.metadata_changed', workspace_id);
  expect(last?.data).toEqual({ fields: ['app_metadata', 'private_metadata'], ...merged });
});
