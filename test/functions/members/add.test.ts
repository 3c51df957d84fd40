import { expect, test } from 'vitest';
import {
  aMember,
  aTime,
  expectInvalid,
  expectProblem,
  expectSame,
  nobody,
  nowhere,
} from '../../support/expectations.ts';
import { aFact } from '../../support/facts.ts';
import { actorOf, invitationCalls } from '../../support/invitations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const { countsOf, workspacesOf, toldBy, backEnd } = invitationCalls(world);
const add = (workspace_id: string, user_id: string, role: string, auth = project.basic) =>
  world.call('POST', `/workspaces/${workspace_id}/users`, auth, { user_id, role });
const list = async (workspace_id: string, status = 'accepted') =>
  (await world.call('GET', `/workspaces/${workspace_id}/users?status=${status}`, project.basic))
    .body;

test('201 the back end adds a user, as if the owner had invited', async () => {
  const { workspace_id, owner } = await world.workspace();
  const ada = await world.user();
  const { status, body } = await add(workspace_id, ada.uid, 'admin');
  expect(status).toBe(201);
  expect(body).toEqual(
    aMember(workspace_id, ada.user, owner.user, { role: 'admin', modified_at: body.created_at }),
  );
  const { total, result } = await list(workspace_id);
  expect(total).toBe(2);
  expect(result[1]).toMatchObject({ uid: ada.uid, role: 'admin', member_id: body.member_id });
});

test('201 the owner and an admin add, and are the inviter', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const admin = await world.member(workspace, 'admin');
  for (const actor of [owner, admin]) {
    const ada = await world.user();
    const { status, body } = await add(workspace_id, ada.uid, 'member', actor.bearer);
    expect(status).toBe(201);
    expect(body).toEqual(aMember(workspace_id, ada.user, actor.user));
  }
  expect((await list(workspace_id)).total).toBe(4);
});

test('201 ends an invitation: the same member, with the role that is given now', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const ada = await world.invited(workspace, 'member');
  const { status, body } = await add(workspace_id, ada.uid, 'admin');
  expect(status).toBe(201);
  expect(body).toEqual({ ...ada.member, status: 'accepted', role: 'admin', modified_at: aTime() });
  expect(await list(workspace_id, 'pending')).toEqual({ total: 0, count: 0, result: [] });
  expect((await list(workspace_id)).total).toBe(2);
  expect(await world.table.query(`WS#${workspace_id}`, 'INVITE#')).toEqual([]);
});

test('200 adding again with the same role is the same membership, counted once', async () => {
  const { workspace_id } = await world.workspace();
  const { uid } = await world.user();
  const { body: first } = await add(workspace_id, uid, 'member');
  const { status, body } = await add(workspace_id, uid, 'member');
  expect([status, body]).toEqual([200, first]);
  expect((await list(workspace_id)).total).toBe(2);
});

test('tells of it, with who acts, and counts it for the user too', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  for (const [auth, actor] of [
    [project.basic, await backEnd()],
    [owner.bearer, actorOf(owner)],
  ] as const) {
    const { uid } = await world.invited(workspace);
    const { member_id } = (await add(workspace_id, uid, 'admin', auth)).body;
    expect(await toldBy(workspace_id)).toEqual([
      aFact(actor, 'workspace.member.added', { user_id: uid, member_id, role: 'admin' }),
    ]);
    expect(await workspacesOf(uid)).toBe(1);
  }
  expect(await countsOf(workspace_id)).toEqual({ members: 3, invitations: 0 });
});

test('200 a suspended member stays suspended', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { uid } = await world.member(workspace);
  const path = `/workspaces/${workspace_id}/users/${uid}/suspension`;
  const { body: suspended } = await world.call('PUT', path, project.basic, { suspended: true });
  const { status, body } = await add(workspace_id, uid, 'member');
  expect([status, body]).toEqual([200, suspended]);
});

test('409 workspace_limit_reached for who is in as many as they may be', async () => {
  const { workspace_id } = await world.workspace();
  const { uid } = await world.user();
  await world.table.update({ pk: `USER#${uid}`, sk: 'USER' }, { workspace_count: 1_000 });
  expectProblem(await add(workspace_id, uid, 'member'), 'workspace_limit_reached');
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 0 });
});

test('409 already_member names the member when the role differs, and it stays', async () => {
  const { workspace_id, owner } = await world.workspace();
  const { uid } = await world.user();
  await add(workspace_id, uid, 'member');
  const before = await list(workspace_id);
  for (const [user_id, role] of [
    [uid, 'admin'],
    [owner.uid, 'member'],
  ] as const) {
    const { member_id } = before.result.find((each: { uid: string }) => each.uid === user_id);
    expectProblem(await add(workspace_id, user_id, role), 'already_member', { member_id });
  }
  expect(await list(workspace_id)).toEqual(before);
});

test('409 member_limit_reached where the workspace is full', async () => {
  const { workspace_id } = await world.workspace();
  await world.table.update({ pk: `WS#${workspace_id}`, sk: 'WS' }, { total_member_count: 100_000 });
  const { uid } = await world.user();
  expectProblem(await add(workspace_id, uid, 'member'), 'member_limit_reached');
});

test('403 for a plain member, even for somebody who is a member already', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const { bearer } = await world.member(workspace);
  const { uid } = await world.user();
  for (const user_id of [uid, owner.uid, nobody])
    expectProblem(await add(workspace_id, user_id, 'member', bearer), 'forbidden');
  expect((await list(workspace_id)).total).toBe(2);
});

test('404 for strangers and the invited, here and of another project: the very answer of a missing one', async () => {
  const workspace = await world.workspace();
  const foreign = await world.newProject();
  const people = [await world.user(), await world.invited(workspace, 'admin')];
  const { uid } = await world.user();
  for (const auth of [foreign.basic, ...people.map(({ bearer }) => bearer)]) {
    const answer = await add(workspace.workspace_id, uid, 'member', auth);
    expectProblem(answer, 'not_found');
    expectSame(answer, await add(nowhere, uid, 'member', auth));
  }
  expect((await list(workspace.workspace_id)).total).toBe(1);
});

test('404 for a user of another project: the very answer of an unknown one', async () => {
  const { workspace_id, owner } = await world.workspace();
  const outsider = await world.user({ project: await world.newProject() });
  for (const auth of [project.basic, owner.bearer]) {
    const answer = await add(workspace_id, outsider.uid, 'member', auth);
    expectProblem(answer, 'not_found');
    expectSame(answer, await add(workspace_id, nobody, 'member', auth));
  }
});

test('400 names every wrong field', async () => {
  expectInvalid(await add('x', 'y', 'owner'), '/path/workspace_id', '/body/user_id', '/body/role');
  const answer = await world.call('POST', `/workspaces/${nowhere}/users`, project.basic, {
    email: 'ada@example.com',
  });
  expectInvalid(answer, '/body/user_id', '/body/role', '/body/email');
});

test('401 without a credential', async () => {
  const body = { user_id: nobody, role: 'member' };
  const answer = await world.call('POST', `/workspaces/${nowhere}/users`, undefined, body);
  expectProblem(answer, 'unauthenticated');
});
