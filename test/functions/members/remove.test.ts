import { expect, test } from 'vitest';
import {
  expectInvalid,
  expectProblem,
  expectSame,
  nobody,
  nowhere,
} from '../../support/expectations.ts';
import { actorOf, invitationCalls } from '../../support/invitations.ts';
import { aFact } from '../../support/recorded-events.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const { invite, accept, join, countsOf, workspacesOf, toldBy, backEnd } = invitationCalls(world);
const remove = (workspace_id: string, uid: string, auth = project.basic) =>
  world.call('DELETE', `/workspaces/${workspace_id}/users/${uid}`, auth);
const joined = async (auth: string) =>
  (await world.call('GET', '/workspaces/joined/search', auth)).body;
const suspend = (workspace_id: string, uid: string) =>
  world.call('PUT', `/workspaces/${workspace_id}/users/${uid}/suspension`, project.basic, {
    suspended: true,
  });

test('200 removed by whoever manages: the member as they were, counted off', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const admin = await world.member(workspace, 'admin');
  for (const [auth, actor] of [
    [project.basic, await backEnd()],
    [owner.bearer, actorOf(owner)],
    [admin.bearer, actorOf(admin)],
  ] as const)
    for (const role of ['member', 'admin'] as const) {
      const ada = await world.member(workspace, role);
      expect(await workspacesOf(ada.uid)).toBe(1);
      const { status, body } = await remove(workspace_id, ada.uid, auth);
      expect([status, body]).toEqual([200, ada.member]);
      expect(await countsOf(workspace_id)).toEqual({ members: 2, invitations: 0 });
      expect(await workspacesOf(ada.uid)).toBe(0);
      const { user_id, member_id } = ada.member;
      expect(await toldBy(workspace_id)).toEqual([
        aFact(actor, 'workspace.member.removed', { user_id, member_id, role }),
      ]);
      expectProblem(await remove(workspace_id, ada.uid, auth), 'not_found');
    }
});

test('200 whoever removes themself leaves: a member, and an admin too', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  for (const role of ['member', 'admin'] as const) {
    const ada = await world.member(workspace, role);
    const { status, body } = await remove(workspace_id, ada.uid, ada.bearer);
    expect([status, body]).toEqual([200, ada.member]);
    const { user_id, member_id } = ada.member;
    expect(await toldBy(workspace_id)).toEqual([
      aFact(actorOf(ada), 'workspace.member.left', { user_id, member_id, role }),
    ]);
    expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 0 });
    expect(await workspacesOf(ada.uid)).toBe(0);
  }
});

test('the next request of whoever is removed finds nothing, and no list shows them the workspace', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const ada = await world.member(workspace, 'admin');
  const path = `/workspaces/${workspace_id}`;
  expect(await joined(ada.bearer)).toMatchObject([{ workspace_id }]);
  await remove(workspace_id, ada.uid, owner.bearer);
  for (const [method, to, body] of [
    ['GET', path],
    ['GET', `${path}/users?status=accepted`],
    ['PUT', path, { name: 'Mine' }],
    ['DELETE', `${path}/users/${ada.uid}`],
  ] as const)
    expectProblem(await world.call(method, to, ada.bearer, body), 'not_found');
  expectProblem(await join(workspace_id, ada.uid, ada.bearer), 'forbidden');
  expect(await joined(ada.bearer)).toEqual([]);
  expect((await world.call('GET', path, owner.bearer)).body.total_member_count).toBe(1);
});

test('200 a suspended member is removed, but cannot leave what they cannot see', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const ada = await world.member(workspace);
  const { body: suspended } = await suspend(workspace_id, ada.uid);
  expectProblem(await remove(workspace_id, ada.uid, ada.bearer), 'not_found');
  const { status, body } = await remove(workspace_id, ada.uid);
  expect([status, body]).toEqual([200, suspended]);
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 0 });
  expect(await workspacesOf(ada.uid)).toBe(0);
});

test('201 whoever is gone comes back as another member', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const ada = await world.member(workspace, 'admin', await world.user({ verified: true }));
  await remove(workspace_id, ada.uid);
  const { body } = await invite(workspace_id, { email: ada.email, role: 'member' });
  expect(body.member_id).not.toBe(ada.member.member_id);
  const token = body.link?.split('#token=')[1] ?? '';
  const { status, body: back } = await accept(token, ada.bearer);
  expect([status, back.role, back.member_id]).toEqual([201, 'member', body.member_id]);
  expect(await workspacesOf(ada.uid)).toBe(1);
});

test('409 owner_must_stay, by whoever asks', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const admin = await world.member(workspace, 'admin');
  for (const auth of [project.basic, admin.bearer, owner.bearer])
    expectProblem(await remove(workspace_id, owner.uid, auth), 'owner_must_stay');
  expect(await countsOf(workspace_id)).toEqual({ members: 2, invitations: 0 });
});

test('403 for a plain member who removes somebody else, member or not', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const [ada, ben] = [await world.member(workspace), await world.member(workspace)];
  for (const uid of [ben.uid, owner.uid, nobody])
    expectProblem(await remove(workspace_id, uid, ada.bearer), 'forbidden');
});

test('404 for whoever is no member: invited only, nobody', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const { uid } = await world.invited(workspace);
  for (const auth of [project.basic, owner.bearer])
    for (const each of [uid, nobody])
      expectProblem(await remove(workspace_id, each, auth), 'not_found');
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 1 });
});

test('404 for strangers and the invited, also of themselves: the very answer of a missing one', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const member = await world.member(workspace);
  const foreign = await world.newProject();
  const people = [await world.user(), await world.invited(workspace, 'admin')];
  for (const { uid, bearer } of people)
    for (const each of [uid, member.uid]) {
      const answer = await remove(workspace_id, each, bearer);
      expectProblem(answer, 'not_found');
      expectSame(answer, await remove(nowhere, each, bearer));
    }
  const answer = await remove(workspace_id, member.uid, foreign.basic);
  expectProblem(answer, 'not_found');
  expectSame(answer, await remove(nowhere, member.uid, foreign.basic));
});

test('400 for ids that are none; 401 without a credential', async () => {
  expectInvalid(await remove('x', 'y'), '/path/workspace_id', '/path/user_id');
  const path = `/workspaces/${nowhere}/users/${nobody}`;
  expectProblem(await world.call('DELETE', path), 'unauthenticated');
});
