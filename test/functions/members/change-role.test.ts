import { expect, test } from 'vitest';
import {
  expectInvalid,
  expectProblem,
  unknownId,
  unknownWorkspaceId,
} from '../../support/expectations.ts';
import { actorOf, invitationCalls } from '../../support/invitations.ts';
import { anEvent } from '../../support/recorded-events.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { eventsOf } = invitationCalls(world);
const change = (workspace_id: string, uid: string, body: object, auth = project.basic) =>
  as(auth).members.changeRole({ workspace_id, user_id: uid, ...body });

test('200 the backend, the owner and an admin change the role', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const admin = await world.member(workspace, 'admin');
  const ada = await world.member(workspace);
  const roles = ['admin', 'member', 'admin'];
  for (const [i, auth] of [project.basic, owner.bearer, admin.bearer].entries()) {
    const role = roles[i] ?? '';
    const { status, body } = await change(workspace_id, ada.uid, { role }, auth);
    expect(status).toBe(200);
    expect(body).toEqual({ ...ada.user, role });
    const { body: stored } = await as(project).members.join({ workspace_id, user_id: ada.uid });
    expect(stored).toEqual({ ...ada.member, role, modified_at: expect.any(String) });
    expect(stored.modified_at > ada.member.modified_at).toBe(true);
  }
});

test('the event has the new role, the previous one and the actor; setting the same role records none', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const { uid, user, member } = await world.member(workspace);
  const { member_id } = member;
  await change(workspace_id, uid, { role: 'admin' }, owner.bearer);
  const events = await eventsOf(workspace_id);
  const data = { user_id: uid, member_id, role: 'admin' };
  const fact = anEvent(actorOf(owner), 'workspace.member.role_changed', data);
  expect(events).toEqual([{ ...fact, previous: { role: 'member' } }]);
  const before = await as(project).members.get({ workspace_id, user_id: uid });
  const again = await change(workspace_id, uid, { role: 'admin' });
  expect([again.status, again.body]).toEqual([200, { ...user, role: 'admin' }]);
  expect(await eventsOf(workspace_id)).toEqual(events);
  expect((await as(project).members.get({ workspace_id, user_id: uid })).body).toEqual(before.body);
});

test('200 the new role applies to lists and permissions immediately', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const ada = await world.member(workspace);
  expectProblem(await as(ada).members.list({ workspace_id, status: 'pending' }), 'forbidden');
  await change(workspace_id, ada.uid, { role: 'admin' });
  expect((await as(ada).members.list({ workspace_id, status: 'pending' })).status).toBe(200);
  const admins = await as(ada).workspaces.list({ role: 'admin' });
  expect(admins.body).toMatchObject({ total: 1, result: [{ workspace_id }] });
});

test('200 an admin can give up the role, but not take it back', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { uid, bearer } = await world.member(workspace, 'admin');
  const { status, body } = await change(workspace_id, uid, { role: 'member' }, bearer);
  expect([status, body.role]).toEqual([200, 'member']);
  expectProblem(await change(workspace_id, uid, { role: 'admin' }, bearer), 'forbidden');
});

test('200 with the ids of the path in the body too, 400 with others', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { uid } = await world.member(workspace);
  const send = (body: object) =>
    world.call('PUT', `/workspaces/${workspace_id}/users/${uid}/role`, project.basic, body);
  expect((await send({ workspace_id, user_id: uid, role: 'admin' })).status).toBe(200);
  const others = { workspace_id: unknownWorkspaceId, user_id: unknownId, role: 'member' };
  expectInvalid(await send(others), '/body/workspace_id', '/body/user_id');
  expect((await as(project).members.join({ workspace_id, user_id: uid })).body.role).toBe('admin');
});

test('409 owner_role_fixed if any manager changes the role of the owner', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const admin = await world.member(workspace, 'admin');
  for (const auth of [project.basic, owner.bearer, admin.bearer])
    for (const role of ['member', 'admin'])
      expectProblem(await change(workspace_id, owner.uid, { role }, auth), 'owner_role_fixed');
});
