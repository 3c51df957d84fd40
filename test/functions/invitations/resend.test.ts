import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { lifetimes, limits } from '#shared/model/limits.ts';
import { rates } from '#shared/model/rates.ts';
import { aLink, aTime, expectInvalid, expectProblem } from '../../support/expectations.ts';
import { invitationCalls, tokenIn } from '../../support/invitations.ts';
import { ownRoleTools } from '../../support/own-roles.ts';
import { anEvent } from '../../support/recorded-events.ts';
import type { Caller } from '../../support/routes.ts';
import { pass } from '../../support/started.ts';
import { startWorld, type World } from '../../support/world.ts';

type Workspace = Awaited<ReturnType<World['workspace']>>;

const world = await startWorld();
const { project, as } = world;
const { invite, resend, mailsTo, countsOf, eventsOf, managersOf } = invitationCalls(world);

const life = ({ modified_at, expires_at }: { modified_at: string; expires_at: string }) =>
  (Date.parse(expires_at) - Date.parse(modified_at)) / 1_000;
test('200 a manager gets a new link with the same lifetime; the invitation is counted once', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const given = { email: 'again@example.com', role: 'admin', message: 'Hello', expires_in: 3_600 };
  const { body: first } = await invite(workspace_id, given);
  const links = [first.link];
  for (const [auth, actor] of await managersOf(workspace)) {
    const { status, body } = await resend(workspace_id, first.user_id, auth);
    expect(status).toBe(200);
    const link = aLink(workspace_id);
    expect(body).toEqual({ ...first, link, modified_at: aTime(), expires_at: aTime() });
    expect(body.modified_at > first.modified_at).toBe(true);
    expect(life(body)).toBe(3_600);
    links.push(body.link);
    const { user_id, member_id, role } = first;
    expect(await eventsOf(workspace_id)).toEqual([
      anEvent(actor, 'workspace.invitation.resent', { user_id, member_id, role }),
    ]);
  }
  expect(new Set(links).size).toBe(4);
  expect(await countsOf(workspace_id)).toEqual({ members: 2, invitations: 1 });
  const { link: _, ...listed } = first;
  const shown = { ...listed, modified_at: aTime(), expires_at: aTime() };
  expect((await as(project).invitations.list({ workspace_id })).body.result).toEqual([shown]);
});

test('200 the old tokens are invalid, the new one is valid', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const ada = await world.invited(workspace);
  const [old] = await mailsTo(ada.email);
  const { body } = await resend(workspace_id, ada.uid);
  const mails = await mailsTo(ada.email);
  expect(mails).toHaveLength(2);
  for (const link of [ada.link, old?.text])
    expectProblem(await as(ada).invitations.accept({ token: tokenIn(link) }), 'mail_token_invalid');
  expect(tokenIn(mails[0]?.text)).not.toBe(tokenIn(body.link));
  expect((await as(ada).invitations.accept({ token: tokenIn(mails[0]?.text) })).status).toBe(201);
});

test('200 keeps the inviter while they are an active member, and then names the caller or the owner', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const ada = await world.member(workspace, 'admin');
  const bob = await world.member(workspace, 'admin');
  const email = 'named@example.com';
  const { body: first } = await invite(workspace_id, { email, role: 'member', message: 'Hi' }, ada);
  const expectInviter = async (
    by: Caller,
    { uid, email: named }: { uid: string; email: string },
  ) => {
    const { body } = await resend(workspace_id, first.user_id, by);
    const inviter = { inviter_id: uid, inviter_email: named };
    expect(body).toMatchObject({ ...inviter, member_id: first.member_id, message: 'Hi' });
    expect((await as(project).invitations.list({ workspace_id })).body.result).toMatchObject([
      inviter,
    ]);
    const [mail] = await mailsTo(email);
    expect(mail?.subject.replaceAll('\u200c', '')).toContain(`${named} invited you`);
  };
  await expectInviter(bob, ada);
  await as(project).members.suspend({ workspace_id, user_id: ada.uid, suspended: true });
  await expectInviter(bob, bob);
  await as(project).members.remove({ workspace_id, user_id: bob.uid });
  await expectInviter(project, owner);
  const { body: joined } = await as(project).members.join({ workspace_id, user_id: first.user_id });
  expect(joined.inviter_id).toBe(owner.uid);
  // Who sends it again has another e-mail by now.
  const { body: next } = await invite(
    workspace_id,
    { email: 'next@example.com', role: 'member' },
    owner,
  );
  const moved = `moved-${owner.email}`;
  await as(project).users.update({ uid: owner.uid, email: moved, email_verified: true });
  await world.drainStream();
  expect((await resend(workspace_id, next.user_id, owner)).body.inviter_email).toBe(moved);
});

test('a mail that was not sent before the resend is dropped', async () => {
  const { workspace_id } = await world.workspace();
  const email = 'slow@example.com';
  const { body } = await invite(workspace_id, { email, role: 'member' });
  const { body: renewed } = await resend(workspace_id, body.user_id);
  const mails = await mailsTo(email);
  expect(mails).toHaveLength(1);
  const { status } = await as(project).invitations.accept({ token: tokenIn(mails[0]?.text) });
  expect([status, renewed.state]).toEqual([201, 'pending']);
});

test('200 renews an expired invitation, which is counted once', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const ada = await world.user({ verified: true });
  const given = { email: ada.email, role: 'member', expires_in: 60 };
  await invite(workspace_id, given);
  pass(61_000);
  expect((await as(project).invitations.list({ workspace_id, state: 'expired' })).body.total).toBe(
    1,
  );
  const { status, body } = await resend(workspace_id, ada.uid);
  expect([status, body.state, life(body)]).toEqual([200, 'pending', 60]);
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 1 });
  const joined = await as(ada).invitations.accept({ token: tokenIn(body.link) });
  expect(joined.status).toBe(201);
});

test('429 for an e-mail that was invited ten times today; the invitation stays unchanged', async () => {
  const { workspace_id } = await world.workspace();
  const { body: first } = await invite(workspace_id, { email: 'much@example.com', role: 'member' });
  for (let i = 0; i < 9; i += 1)
    expect((await resend(workspace_id, first.user_id)).status).toBe(200);
  const before = await world.table.query(`WS#${workspace_id}`);
  expectProblem(await resend(workspace_id, first.user_id), 'too_many_requests', {
    detail: expect.stringContaining('today'),
  });
  expect(await world.table.query(`WS#${workspace_id}`)).toEqual(before);
});

test.each([
  {
    by: 'the person has made as many invitations today as one may',
    useUp: ({ owner }: Workspace) => {
      const { seconds, max } = rates.invitationsByOne;
      const window = Math.floor(Date.now() / 1_000 / seconds);
      return world.table.put({ ...keys.rate('invitationsByOne', owner.uid, window), count: max });
    },
    detail: rates.invitationsByOne.detail,
  },
  {
    by: 'the workspace has mailed as many invitations today as one may',
    useUp: ({ workspace_id }: Workspace) =>
      world.table.update(keys.workspace(workspace_id), {
        mail_day: new Date().toISOString().slice(0, 10),
        mailed_count: limits.invitationMailsPerDay,
      }),
    detail: 'The workspace has mailed enough invitations for today',
  },
])('429 once $by; no mail goes out, and none counts for the mailbox', async ({ useUp, detail }) => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const ada = await world.invited(workspace);
  await useUp(workspace);
  for (let i = 0; i < 12; i += 1)
    expectProblem(await resend(workspace_id, ada.uid, owner), 'too_many_requests', { detail });
  expect(await mailsTo(ada.email)).toHaveLength(1);
  const other = await world.workspace();
  const given = { email: ada.email, role: 'member' };
  expect((await invite(other.workspace_id, given, other.owner)).status).toBe(201);
});

test('200 right after its workspace is restored: the new expiry stays, and the invitee finds it', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const ada = await world.invited(workspace);
  // Else the new expiry may be the former one, of the same second.
  const invitation = keys.invitation(workspace_id, ada.uid);
  const { expires_at } = (await world.table.get(invitation)) ?? {};
  await world.table.update(invitation, { expires_at: Number(expires_at) - 3_600 });
  await as(project).workspaces.delete({ workspace_id });
  await world.drainStream();
  await as(project).workspaces.restore({ workspace_id });
  const { status } = await resend(workspace_id, ada.uid);
  const renewed = await world.table.get(invitation);
  await world.drainStream();
  expect(status).toBe(200);
  const { kept_expires_at, by_member_sk, ...rest } = renewed ?? {};
  expect([kept_expires_at, by_member_sk]).toEqual([
    rest['expires_at'],
    `ARCHIVED#INVITE#${workspace_id}`,
  ]);
  expect(await world.table.get(invitation)).toEqual({
    ...rest,
    by_member_sk: `INVITE#${workspace_id}`,
    // The profile is copied again; the order of its attributes may vary.
    profile: expect.any(String),
  });
});

test('200 for an invitation from version 0.2.0, without an expiry or a token', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const ada = await world.invited(workspace);
  const key = keys.invitation(workspace_id, ada.uid);
  const {
    invitation_expires_at: _,
    expires_at: __,
    token_sha256: ___,
    mailbox: ____,
    ...old
  } = (await world.table.get(key)) ?? {};
  await world.table.put({ ...key, ...old });
  const token = tokenIn(ada.link);
  expectProblem(await as(ada).invitations.accept({ token }), 'mail_token_invalid');
  const { status, body } = await resend(workspace_id, ada.uid);
  expect([status, body.state]).toEqual([200, 'pending']);
});

test('403 for a role beyond the permissions of the caller, 400 for a deleted role', async () => {
  const { project: own, permission, define, defineOwn, workspace } = await ownRoleTools(world);
  await permission('vault:open');
  const place = await workspace();
  const { workspace_id } = place;
  const admin = await world.member(place, 'admin');
  const role = await defineOwn(workspace_id, 'ws-guest', []);
  const ada = await world.invited(place, role);
  expect((await resend(workspace_id, ada.uid, admin)).status).toBe(200);
  await defineOwn(workspace_id, role, ['vault:open']);
  const refused = await resend(workspace_id, ada.uid, admin);
  expectProblem(refused, 'forbidden', { missing: ['vault:open'] });
  expect((await resend(workspace_id, ada.uid, place.owner)).status).toBe(200);

  // A pending invitation keeps its role, an expired one does not.
  const ofProject = await define('passing', []);
  const bob = await world.invited(place, ofProject);
  pass((lifetimes.invitation + 1) * 1_000);
  const owner = await world.session(place.owner.uid, own);
  expect((await as(own).workspaceRoles.delete({ workspace_id, role })).status).toBe(200);
  expect((await as(own).roles.delete({ role: ofProject })).status).toBe(200);
  for (const { uid } of [ada, bob])
    for (const by of [own, owner.bearer])
      expectInvalid(await resend(workspace_id, uid, by), '/path/user_id');
});
