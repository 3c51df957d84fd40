import { expect, test } from 'vitest';
import { aTime } from '../../support/expectations.ts';
import { eventsAbout } from '../../support/recorded-events.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { users, members } = as(project);

test('app_metadata is shown to the backend, the owner and the member, in no list, and is deleted with the member', async () => {
  const place = await world.workspace();
  const { workspace_id, owner } = place;
  const [ada, bob] = [await world.member(place), await world.member(place)];
  const of = { workspace_id, user_id: ada.uid };
  const { body: before } = await members.get(of);
  const app_metadata = { desk: 17 };
  const { status, body } = await members.setMetadata({ ...of, app_metadata });
  expect([status, body]).toEqual([200, { ...before, app_metadata, modified_at: aTime() }]);
  for (const caller of [project, owner, ada])
    expect((await as(caller).members.get(of)).body).toEqual(body);
  expect((await as(bob).members.get(of)).body).toEqual({ ...before, modified_at: aTime() });
  await members.mergeMetadata({ ...of, app_metadata: { floor: 2 } });
  const role = await members.changeRole({ ...of, role: 'admin' });
  expect(role.status).toBe(200);
  await world.drainStream();
  const listed = (await members.list({ workspace_id, status: 'accepted' })).body;
  expect(JSON.stringify(listed)).not.toContain('desk');
  expect((await members.get(of)).body.app_metadata).toEqual({ desk: 17, floor: 2 });
  const [last] = await eventsAbout(world, 'workspace.member.metadata_changed', ada.uid);
  const { member_id } = before;
  expect(last?.data).toEqual({ user_id: ada.uid, member_id, fields: ['app_metadata'] });
  const exported = (await users.export({ uid: ada.uid })).body.memberships[0];
  expect(exported.app_metadata).toEqual({ desk: 17, floor: 2 });
  // The events of a workspace outlive its members, so neither the feed nor the log may contain personal data.
  const [feed, log] = await Promise.all([
    as(project).events.list({ limit: 100 }),
    as(project).events.listOfWorkspace({ workspace_id, limit: 100 }),
  ]);
  expect(JSON.stringify([feed.body, log.body])).toContain('workspace.member.metadata_changed');
  expect(JSON.stringify([feed.body, log.body])).not.toContain('desk');
  await members.remove(of);
  await world.member(place, 'member', ada);
  expect((await members.get(of)).body).not.toHaveProperty('app_metadata');
});
