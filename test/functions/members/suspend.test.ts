import { expect, test } from 'vitest';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { invitationCalls } from '../../support/invitations.ts';
import { anEvent } from '../../support/recorded-events.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { countsOf, workspacesOf, eventsOf, managersOf } = invitationCalls(world);
const suspend = (
  workspace_id: string,
  uid: string,
  suspended: unknown = true,
  auth = project.basic,
) => as(auth).members.suspend({ workspace_id, user_id: uid, suspended });

test.each(['member', 'admin'] as const)(
  '200 a manager suspends and resumes a %s, who is then as before',
  async (role) => {
    const workspace = await world.workspace();
    const { workspace_id } = workspace;
    const ada = await world.member(workspace, role);
    const { user_id, member_id } = ada.member;
    for (const [auth, actor] of await managersOf(workspace))
      for (const suspended of [true, false]) {
        const { status, body } = await suspend(workspace_id, ada.uid, suspended, auth);
        expect(status).toBe(200);
        expect(body).toEqual({
          ...ada.member,
          modified_at: aTime(),
          ...(suspended && { suspended: true }),
        });
        const type = suspended ? 'workspace.member.suspended' : 'workspace.member.resumed';
        expect(await eventsOf(workspace_id)).toEqual([
          anEvent(actor, type, { user_id, member_id, role }),
        ]);
        expect((await as(ada).workspaces.get({ workspace_id })).status).toBe(suspended ? 404 : 200);
      }
  },
);

test('200 an unchanged value writes nothing and records no event', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { uid } = await world.member(workspace);
  for (const suspended of [false, true]) {
    const { body: first } = await suspend(workspace_id, uid, suspended);
    const before = await world.table.query(`WS#${workspace_id}`);
    const { status, body } = await suspend(workspace_id, uid, suspended);
    expect([status, body]).toEqual([200, first]);
    expect(await world.table.query(`WS#${workspace_id}`)).toEqual(before);
  }
});

test('a suspended member is counted, is listed as suspended, keeps the role and does not list the workspace', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const ada = await world.member(workspace);
  await suspend(workspace_id, ada.uid);
  expect(await countsOf(workspace_id)).toEqual({ members: 2, invitations: 0 });
  expect(await workspacesOf(ada.uid)).toBe(1);
  const listed = async () =>
    (await as(owner).members.list({ workspace_id, status: 'accepted' })).body.result[1];
  expect(await listed()).toMatchObject({ uid: ada.uid, role: 'member', suspended: true });
  const { listJoined, listInvited } = as(ada).workspaces;
  for (const { body } of [await listJoined(), await listInvited()])
    expect(JSON.stringify(body)).not.toContain(workspace_id);
  // The role can change during the suspension.
  expect(
    (await as(owner).members.changeRole({ workspace_id, user_id: ada.uid, role: 'admin' })).status,
  ).toBe(200);
  expectProblem(await as(ada).workspaces.get({ workspace_id }), 'not_found');
  const { body } = await suspend(workspace_id, ada.uid, false);
  expect(body).toEqual({ ...ada.member, role: 'admin', modified_at: aTime() });
  expect(await listed()).not.toHaveProperty('suspended');
  expect((await as(ada).workspaces.get({ workspace_id })).status).toBe(200);
});

test('200 an admin can suspend themselves and be resumed by another', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const ada = await world.member(workspace, 'admin');
  expect((await suspend(workspace_id, ada.uid, true, ada.bearer)).body.suspended).toBe(true);
  expectProblem(await suspend(workspace_id, ada.uid, false, ada.bearer), 'not_found');
  expect((await suspend(workspace_id, ada.uid, false, owner.bearer)).status).toBe(200);
});
