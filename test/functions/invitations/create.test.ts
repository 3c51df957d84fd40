import { expect, test } from 'vitest';
import {
  aMember,
  aUser,
  anId,
  expectInvalid,
  expectProblem,
  expectSame,
  nowhere,
} from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const { project_id } = project;
const invite = (workspace_id: string, email: string, role = 'member', auth = project.basic) =>
  world.call('POST', `/workspaces/${workspace_id}/invitations`, auth, { email, role });
const userOf = (email: string) => world.call('POST', '/users', project.basic, { email });
const pending = async (workspace_id: string) =>
  (await world.call('GET', `/workspaces/${workspace_id}/users?status=pending`, project.basic)).body;
const count = async (workspace_id: string) =>
  (await world.call('GET', `/workspaces/${workspace_id}`, project.basic)).body.total_member_count;

test('201 a pending member, who is no member yet but finds the invitation', async () => {
  const { workspace_id, owner } = await world.workspace();
  const ada = await world.user();
  const { status, body } = await invite(workspace_id, ada.email, 'admin');
  expect(status).toBe(201);
  expect(body).toEqual(
    aMember(workspace_id, ada.user, owner.user, {
      status: 'pending',
      role: 'admin',
      modified_at: body.created_at,
    }),
  );
  expect(await count(workspace_id)).toBe(1);
  const { last_sign_in_at: _, ...user } = ada.user;
  expect(await pending(workspace_id)).toEqual({
    total: 1,
    count: 1,
    result: [{ ...user, role: 'admin', member_id: body.member_id }],
  });
  const invited = await world.call('GET', '/workspaces/invited/search', ada.bearer);
  expect(invited.body.invited_workspaces).toMatchObject([{ workspace_id }]);
});

test('201 makes the user of an e-mail that nobody has', async () => {
  const { workspace_id, owner } = await world.workspace();
  const { status, body } = await invite(workspace_id, 'New@Example.com');
  expect(status).toBe(201);
  const { user_id } = body;
  const user = aUser({ uid: user_id, project_id, email: 'New@Example.com' });
  expect(body).toEqual(aMember(workspace_id, user, owner.user, { status: 'pending' }));
  expect(user_id).toEqual(anId());
  const found = await userOf('new@example.com');
  const { sign_in_methods: _, ...created } = user;
  expect([found.status, found.body]).toEqual([200, created]);
});

test('201 finds the user whatever the case of the e-mail', async () => {
  const { workspace_id } = await world.workspace();
  const ada = await world.user({ email: 'ada@example.com' });
  const { body } = await invite(workspace_id, 'ADA@example.COM');
  expect(body).toMatchObject({ user_id: ada.uid, email: 'ada@example.com' });
});

test('201 a user of another project with the e-mail is left alone', async () => {
  const foreign = await world.newProject();
  const theirs = await world.user({ email: 'both@example.com', project: foreign });
  const { workspace_id } = await world.workspace();
  const { status, body } = await invite(workspace_id, 'both@example.com');
  expect(status).toBe(201);
  expect(body.user_id).not.toBe(theirs.uid);
  const invited = await world.call('GET', '/workspaces/invited/search', theirs.bearer);
  expect(invited.body.invited_workspaces).toEqual([]);
});

test('201 the owner and an admin invite, and are the inviter', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const admin = await world.member(workspace, 'admin');
  for (const actor of [owner, admin]) {
    const ada = await world.user();
    const { status, body } = await invite(workspace_id, ada.email, 'member', actor.bearer);
    expect(status).toBe(201);
    expect(body).toEqual(aMember(workspace_id, ada.user, actor.user, { status: 'pending' }));
  }
  expect((await pending(workspace_id)).total).toBe(2);
});

test('409 invitation_exists names the standing one, as after a lost answer, whatever the role', async () => {
  const { workspace_id } = await world.workspace();
  const { body: first } = await invite(workspace_id, 'again@example.com');
  for (const role of ['member', 'admin']) {
    const { member_id } = first;
    const answer = await invite(workspace_id, 'Again@example.com', role);
    expectProblem(answer, 'invitation_exists', { member_id });
  }
  const { total, result } = await pending(workspace_id);
  expect([total, result[0].role]).toEqual([1, 'member']);
});

test('409 already_member names the member', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const { email, member } = await world.member(workspace);
  const { member_id } = member;
  expectProblem(await invite(workspace_id, email), 'already_member', { member_id });
  const join = { workspace_id, user_id: owner.uid };
  const owners = (await world.call('POST', '/workspaces/join', project.basic, join)).body.member_id;
  expectProblem(await invite(workspace_id, owner.email), 'already_member', { member_id: owners });
  expect((await pending(workspace_id)).total).toBe(0);
});

test('409 invitation_limit_reached where too many are pending, however many members there are; nobody is made', async () => {
  const { workspace_id } = await world.workspace();
  await world.table.update({ pk: `WS#${workspace_id}`, sk: 'WS' }, { pending_member_count: 1_000 });
  expectProblem(await invite(workspace_id, 'late@example.com'), 'invitation_limit_reached');
  const full = { total_member_count: 100_000 };
  await world.table.update({ pk: `WS#${workspace_id}`, sk: 'WS' }, full);
  expectProblem(await invite(workspace_id, 'later@example.com'), 'invitation_limit_reached');
  expect((await userOf('later@example.com')).status).toBe(201);
});

test('403 for a plain member, who makes no user either', async () => {
  const workspace = await world.workspace();
  const { bearer } = await world.member(workspace);
  const answer = await invite(workspace.workspace_id, 'nobody@example.com', 'member', bearer);
  expectProblem(answer, 'forbidden');
  expect((await userOf('nobody@example.com')).status).toBe(201);
});

test('404 for strangers and the invited, here and of another project: the very answer of a missing one', async () => {
  const workspace = await world.workspace();
  const foreign = await world.newProject();
  const people = [await world.user(), await world.invited(workspace, 'admin')];
  for (const auth of [foreign.basic, ...people.map(({ bearer }) => bearer)]) {
    const answer = await invite(workspace.workspace_id, 'none@example.com', 'member', auth);
    expectProblem(answer, 'not_found');
    expectSame(answer, await invite(nowhere, 'none@example.com', 'member', auth));
  }
  expect((await userOf('none@example.com')).status).toBe(201);
  expect((await pending(workspace.workspace_id)).total).toBe(1);
});

test('400 names every wrong field', async () => {
  expectInvalid(await invite('x', 'y', 'owner'), '/path/workspace_id', '/body/email', '/body/role');
  const path = `/workspaces/${nowhere}/invitations`;
  const answer = await world.call('POST', path, project.basic, { user_id: 'x' });
  expectInvalid(answer, '/body/email', '/body/role', '/body/user_id');
});

test('401 without a credential', async () => {
  const body = { email: 'ada@example.com', role: 'member' };
  const answer = await world.call('POST', `/workspaces/${nowhere}/invitations`, undefined, body);
  expectProblem(answer, 'unauthenticated');
});
