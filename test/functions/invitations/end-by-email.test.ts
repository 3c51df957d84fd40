import { expect, test } from 'vitest';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { invitationCalls } from '../../support/invitations.ts';
import { anEvent } from '../../support/recorded-events.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { countsOf, eventsOf, managersOf } = invitationCalls(world);
const end = (workspace_id: string, email: string, auth = project.basic) =>
  as(auth).invitations.endByEmail({ workspace_id, email });

test('200 revoked by whoever manages, whatever the case of the e-mail', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  for (const [auth, actor] of await managersOf(workspace)) {
    const ada = await world.invited(workspace);
    const { status, body } = await end(workspace_id, ada.email.toUpperCase(), auth);
    expect(status).toBe(200);
    expect(body).toEqual({ ...ada.member, state: 'pending', expires_at: aTime() });
    expect(await countsOf(workspace_id)).toEqual({ members: 2, invitations: 0 });
    const { user_id, member_id, role } = ada.member;
    expect(await eventsOf(workspace_id)).toEqual([
      anEvent(actor, 'workspace.invitation.revoked', { user_id, member_id, role }),
    ]);
    expectProblem(await end(workspace_id, ada.email, auth), 'not_found');
  }
});

test('200 by the e-mail that the invitee has now', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { uid, email } = await world.invited(workspace);
  const moved = { email: `moved-${email}` };
  await as(project).users.update({ uid, ...moved });
  expectProblem(await end(workspace_id, email), 'not_found');
  expect((await end(workspace_id, moved.email)).body.user_id).toBe(uid);
});

test('404 for a member, a user who is not invited, and an e-mail that nobody has', async () => {
  const { workspace_id, owner } = await world.workspace();
  const { email } = await world.user();
  for (const each of [owner.email, email, 'none@example.com'])
    expectProblem(await end(workspace_id, each), 'not_found');
});
