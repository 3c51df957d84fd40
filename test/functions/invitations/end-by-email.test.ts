import { expect, test } from 'vitest';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { invitationCalls, tokenIn } from '../../support/invitations.ts';
import { anEvent } from '../../support/recorded-events.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { countsOf, eventsOf, mailsTo, managersOf } = invitationCalls(world);
const end = (workspace_id: string, email: string, auth = project.basic) =>
  as(auth).invitations.endByEmail({ workspace_id, email });

test('200 a manager revokes it, whatever the capitals of the e-mail', async () => {
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

test('200 for the invited e-mail and for the e-mail that the invitee has now', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  for (const of of [0, 1]) {
    const { uid, email } = await world.invited(workspace);
    const moved = { email: `moved-${email}` };
    await as(project).users.update({ uid, ...moved });
    const { body } = await end(workspace_id, [email, moved.email][of] ?? '');
    expect([body.user_id, body.email]).toEqual([uid, email]);
    expectProblem(await end(workspace_id, email), 'not_found');
  }
});

test('200 revokes all invitations to the e-mail, so that no token in that mailbox works', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const former = await world.invited(workspace, 'admin');
  const { email } = former;
  const [mail] = await mailsTo(email);
  await as(project).users.update({ uid: former.uid, email: `moved-${email}` });
  const { body: again } = await as(project).invitations.create({
    workspace_id,
    email,
    role: 'member',
  });
  const bystander = await world.invited(workspace);
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 3 });
  // The one of the user who has the e-mail now is shown.
  expect((await end(workspace_id, email)).body.user_id).toBe(again.user_id);
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 1 });
  expect(await eventsOf(workspace_id)).toEqual(
    [again, former.member].map(({ user_id, member_id, role }) =>
      anEvent(expect.anything(), 'workspace.invitation.revoked', { user_id, member_id, role }),
    ),
  );
  const { body } = await as(project).invitations.list({ workspace_id });
  expect(body.result).toEqual([bystander.member].map((each) => expect.objectContaining(each)));
  for (const text of [former.link, mail?.text])
    expectProblem(
      await as(former).invitations.accept({ token: tokenIn(text) }),
      'mail_token_invalid',
    );
});

test('200 keeps the invitation of a user who has the e-mail now, and was invited by another one', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const [former, present] = [await world.invited(workspace), await world.invited(workspace)];
  const { email } = former;
  await as(project).users.update({ uid: former.uid, email: `left-${email}` });
  await as(project).users.update({ uid: present.uid, email });
  expect((await end(workspace_id, email)).body.user_id).toBe(former.uid);
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 1 });
});

test('200 revokes more invitations to the e-mail than one transaction can', async () => {
  const { workspace_id } = await world.workspace();
  const email = `moves.${workspace_id}@example.com`;
  const invitations = Array.from({ length: 45 }, (_, i) => ({
    ...{ email: `${i}.${email}`, role: 'member' },
  }));
  await as(project).invitations.create({ workspace_id, invitations, send_mail: false });
  // As if the e-mail had moved on from each of them, and was invited again.
  for (const { pk, sk } of await world.table.query(`WS#${workspace_id}`, 'INVITE#'))
    await world.table.update({ pk: String(pk), sk: String(sk) }, { mailbox: email });
  expect((await end(workspace_id, email)).status).toBe(200);
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 0 });
});
