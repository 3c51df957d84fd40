import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { actorOf, invitationCalls } from '../../support/invitations.ts';
import { anEvent } from '../../support/recorded-events.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { invite, countsOf, workspacesOf, eventsOf, managersOf } = invitationCalls(world);

const joined = async (auth: string) => (await as(auth).workspaces.listJoined()).body;
const suspend = (workspace_id: string, uid: string) =>
  as(project).members.suspend({ workspace_id, user_id: uid, suspended: true });

test('200 a manager removes the member, who is no longer counted and no longer lists the workspace', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  for (const [auth, actor] of await managersOf(workspace))
    for (const role of ['member', 'admin'] as const) {
      const ada = await world.member(workspace, role);
      expect(await workspacesOf(ada.uid)).toBe(1);
      expect(await joined(ada.bearer)).toMatchObject([{ workspace_id }]);
      const { status, body } = await as(auth).members.remove({ workspace_id, user_id: ada.uid });
      expect([status, body]).toEqual([200, ada.member]);
      expect(await countsOf(workspace_id)).toEqual({ members: 2, invitations: 0 });
      expect(await workspacesOf(ada.uid)).toBe(0);
      expect(await joined(ada.bearer)).toEqual([]);
      const { user_id, member_id } = ada.member;
      expect(await eventsOf(workspace_id)).toEqual([
        anEvent(actor, 'workspace.member.removed', { user_id, member_id, role }),
      ]);
      expectProblem(await as(auth).members.remove({ workspace_id, user_id: ada.uid }), 'not_found');
    }
});

test('200 a member or an admin can remove themselves', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  for (const role of ['member', 'admin'] as const) {
    const ada = await world.member(workspace, role);
    const { status, body } = await as(ada).members.remove({ workspace_id, user_id: ada.uid });
    expect([status, body]).toEqual([200, ada.member]);
    const { user_id, member_id } = ada.member;
    expect(await eventsOf(workspace_id)).toEqual([
      anEvent(actorOf(ada), 'workspace.member.left', { user_id, member_id, role }),
    ]);
    expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 0 });
    expect(await workspacesOf(ada.uid)).toBe(0);
  }
});

test('200 a suspended member can be removed, but cannot leave', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const ada = await world.member(workspace);
  const { body: suspended } = await suspend(workspace_id, ada.uid);
  expectProblem(await as(ada).members.remove({ workspace_id, user_id: ada.uid }), 'not_found');
  const { status, body } = await as(project).members.remove({ workspace_id, user_id: ada.uid });
  expect([status, body]).toEqual([200, suspended]);
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 0 });
  expect(await workspacesOf(ada.uid)).toBe(0);
});

test('201 a removed member can be invited again, with a new member id', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const ada = await world.member(workspace, 'admin', await world.user({ verified: true }));
  await as(project).members.remove({ workspace_id, user_id: ada.uid });
  const { body } = await invite(workspace_id, { email: ada.email, role: 'member' });
  expect(body.member_id).not.toBe(ada.member.member_id);
  const token = body.link?.split('#token=')[1] ?? '';
  const { status, body: back } = await as(ada).invitations.accept({ token });
  expect([status, back.role, back.member_id]).toEqual([201, 'member', body.member_id]);
  expect(await workspacesOf(ada.uid)).toBe(1);
});
