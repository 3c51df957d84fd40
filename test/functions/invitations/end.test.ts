import { expect, test } from 'vitest';
import {
  aTime,
  expectProblem,
  expectSame,
  unknownWorkspaceId,
} from '../../support/expectations.ts';
import { actorOf, invitationCalls, tokenIn } from '../../support/invitations.ts';
import { anEvent } from '../../support/recorded-events.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { invite, accept, mailsTo, countsOf, eventsOf, managersOf } = invitationCalls(world);

test('200 a manager revokes the invitation and gets it as it was; it is deleted', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  for (const [auth, actor] of await managersOf(workspace)) {
    const ada = await world.invited(workspace, 'admin');
    const { status, body } = await as(auth).invitations.end({ workspace_id, user_id: ada.uid });
    expect(status).toBe(200);
    expect(body).toEqual({ ...ada.member, state: 'pending', expires_at: aTime() });
    expect(await countsOf(workspace_id)).toEqual({ members: 2, invitations: 0 });
    const { user_id, member_id, role } = ada.member;
    expect(await eventsOf(workspace_id)).toEqual([
      anEvent(actor, 'workspace.invitation.revoked', { user_id, member_id, role }),
    ]);
    expectProblem(await as(auth).invitations.end({ workspace_id, user_id: ada.uid }), 'not_found');
  }
});

test('200 the invitee declines it, with or without a verified e-mail', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  for (const verified of [true, false]) {
    const ada = await world.invited(workspace, 'member', await world.user({ verified }));
    const { status, body } = await as(ada).invitations.end({ workspace_id, user_id: ada.uid });
    expect(status).toBe(200);
    expect(body).toEqual({ ...ada.member, state: 'pending', expires_at: aTime() });
    const { user_id, member_id, role } = ada.member;
    expect(await eventsOf(workspace_id)).toEqual([
      anEvent(actorOf(ada), 'workspace.invitation.declined', { user_id, member_id, role }),
    ]);
    expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 0 });
    expectProblem(await as(ada).invitations.end({ workspace_id, user_id: ada.uid }), 'not_found');
    expectProblem(await as(ada).members.join({ workspace_id, user_id: ada.uid }), 'forbidden');
  }
});

test('a revoked or declined invitation leaves no valid token and no unsent mail', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  for (const by of ['manager', 'invitee']) {
    const ada = await world.invited(workspace);
    const [mail] = await mailsTo(ada.email);
    await as(by === 'manager' ? project.basic : ada.bearer).invitations.end({
      workspace_id,
      user_id: ada.uid,
    });
    for (const text of [ada.link, mail?.text])
      for (const auth of [ada.bearer, project.basic])
        expectProblem(await accept(tokenIn(text), auth), 'mail_token_invalid');
  }
  const ben = await world.invited(workspace);
  await as(project).invitations.end({ workspace_id, user_id: ben.uid });
  expect(await mailsTo(ben.email)).toEqual([]);
});

test('404 to the invitee once it has expired, but managers can revoke it', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const ada = await world.user({ verified: true });
  await invite(workspace_id, { email: ada.email, role: 'member', expires_in: 60 });
  pass(61_000);
  const answer = await as(ada).invitations.end({ workspace_id, user_id: ada.uid });
  expectProblem(answer, 'not_found');
  expectSame(
    answer,
    await as(ada).invitations.end({ workspace_id: unknownWorkspaceId, user_id: ada.uid }),
  );
  const { status, body } = await as(project).invitations.end({ workspace_id, user_id: ada.uid });
  expect([status, body.state]).toEqual([200, 'expired']);
  expect((await as(project).invitations.list({ workspace_id, state: 'expired' })).body.total).toBe(
    0,
  );
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 0 });
});

test('200 keeps other invitations of the user, and of other users to the workspace', async () => {
  const [one, other] = [await world.workspace(), await world.workspace()];
  const ada = await world.invited(one);
  await world.invited(other, 'member', ada);
  await world.invited(one);
  await as(project).invitations.end({ workspace_id: one.workspace_id, user_id: ada.uid });
  expect(await countsOf(one.workspace_id)).toEqual({ members: 1, invitations: 1 });
  expect(await countsOf(other.workspace_id)).toEqual({ members: 1, invitations: 1 });
});
