import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { aTime, expectProblem, unknownId } from '../../support/expectations.ts';
import { anEvent, backend, self } from '../../support/recorded-events.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, table, as } = world;
const offer = (workspace_id: string, user_id: string, auth: string | undefined = project.basic) =>
  as(auth).ownership.offer({ workspace_id, user_id });
const read = async (workspace_id: string) =>
  (await as(project).workspaces.get({ workspace_id })).body;
const eventsOf = async (workspace_id: string) => {
  const { events, event_count } = (await table.get(keys.workspace(workspace_id))) ?? {};
  return { events, event_count: Number(event_count) };
};
const ownedBy = async ({ uid }: { uid: string }) =>
  (await table.get(keys.user(uid)))?.['owned_workspace_count'] ?? 0;

test('200 for the owner offers it, shows that to every member and changes nothing else', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const admin = await world.member(workspace, 'admin');
  const member = await world.member(workspace);
  const before = await read(workspace_id);
  const { event_count } = await eventsOf(workspace_id);
  const { status, headers, body } = await offer(workspace_id, admin.uid, owner.bearer);
  const expected = { ...before, modified_at: aTime(), ownership_offered_to: admin.uid };
  expect([status, body]).toEqual([200, expected]);
  const shown = await as(member).workspaces.get({ workspace_id });
  expect([shown.body, shown.headers.get('etag')]).toEqual([body, headers.get('etag')]);
  const { member_id } = admin.member;
  expect(await eventsOf(workspace_id)).toEqual({
    event_count: event_count + 1,
    events: [
      anEvent(self(owner), 'workspace.ownership_offered', { user_id: admin.uid, member_id }),
    ],
  });
});

test('200 for the same offer twice, which has one event', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const { uid } = await world.member(workspace, 'admin');
  const first = await offer(workspace_id, uid, owner.bearer);
  const events = await eventsOf(workspace_id);
  expect(await offer(workspace_id, uid, owner.bearer)).toMatchObject({ body: first.body });
  expect(await eventsOf(workspace_id)).toEqual(events);
});

test('200 replaces an earlier offer', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const one = await world.member(workspace, 'admin');
  const two = await world.member(workspace, 'admin');
  await offer(workspace_id, one.uid, owner.bearer);
  const { body } = await offer(workspace_id, two.uid, owner.bearer);
  expect(body.ownership_offered_to).toBe(two.uid);
  expectProblem(await as(one).ownership.accept({ workspace_id }), 'forbidden');
  expect((await as(two).ownership.accept({ workspace_id })).status).toBe(200);
});

test('200 for the backend transfers it immediately, ends an offer and keeps the former owner as an admin', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const offered = await world.member(workspace, 'admin');
  const admin = await world.member(workspace, 'admin');
  await offer(workspace_id, offered.uid, owner.bearer);
  const { ownership_offered_to: _, ...before } = await read(workspace_id);
  const { event_count } = await eventsOf(workspace_id);
  const { status, body } = await offer(workspace_id, admin.uid);
  expect([status, body]).toEqual([
    200,
    { ...before, owner_id: admin.uid, owner_email: admin.email, modified_at: aTime() },
  ]);
  expect(await read(workspace_id)).toEqual(body);
  expect([await ownedBy(owner), await ownedBy(admin)]).toEqual([0, 1]);
  expect(await eventsOf(workspace_id)).toEqual({
    event_count: event_count + 1,
    events: [
      {
        ...anEvent(await backend(world, project), 'workspace.ownership_transferred', {
          owner_id: admin.uid,
          member_id: admin.member.member_id,
        }),
        previous: { owner_id: owner.uid },
      },
    ],
  });
  const roles = await as(admin).members.list({ workspace_id, status: 'accepted' });
  for (const { role } of roles.body.result) expect(role).toBe('admin');
  // The former owner may leave now, the new one may not.
  expectProblem(
    await as(admin).members.remove({ workspace_id, user_id: admin.uid }),
    'owner_must_stay',
  );
  expect((await as(owner).members.remove({ workspace_id, user_id: owner.uid })).status).toBe(200);
});

test('200 for the current owner changes nothing', async () => {
  const { workspace_id, owner } = await world.workspace();
  const before = await table.query(`WS#${workspace_id}`);
  for (const auth of [project.basic, owner.bearer])
    expect((await offer(workspace_id, owner.uid, auth)).status).toBe(200);
  expect(await table.query(`WS#${workspace_id}`)).toEqual(before);
});

test('409 for a member or a suspended admin; 404 for a user who is not a member', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const member = await world.member(workspace);
  const suspended = await world.member(workspace, 'admin');
  const invited = await world.invited(workspace, 'admin');
  const stranger = await world.user();
  await table.update(keys.member(workspace_id, suspended.uid), { suspended_at: 'now' });
  const before = await table.query(`WS#${workspace_id}`);
  for (const auth of [project.basic, owner.bearer]) {
    for (const { uid } of [member, suspended])
      expectProblem(await offer(workspace_id, uid, auth), 'ownership_needs_admin');
    for (const uid of [invited.uid, stranger.uid, unknownId])
      expectProblem(await offer(workspace_id, uid, auth), 'not_found');
  }
  expect(await table.query(`WS#${workspace_id}`)).toEqual(before);
});

test('409 if the new owner owns too many workspaces', async () => {
  const workspace = await world.workspace();
  const admin = await world.member(workspace, 'admin');
  await table.update(keys.user(admin.uid), { owned_workspace_count: 500 });
  expectProblem(await offer(workspace.workspace_id, admin.uid), 'owned_workspace_limit_reached');
  expect((await read(workspace.workspace_id)).owner_id).toBe(workspace.owner.uid);
});

test('owner_email follows the new owner, and no longer the former one', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const admin = await world.member(workspace, 'admin');
  await offer(workspace_id, admin.uid);
  await as(project).users.update({ uid: owner.uid, email: 'before@moved.com' });
  await as(project).users.update({ uid: admin.uid, email: 'after@moved.com' });
  await world.drainStream();
  expect((await read(workspace_id)).owner_email).toBe('after@moved.com');
});
