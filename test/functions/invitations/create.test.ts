import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { limits } from '#shared/model/limits.ts';
import {
  aLink,
  anId,
  anInvitation,
  aUser,
  expectInvalid,
  expectProblem,
  unknownWorkspaceId,
} from '../../support/expectations.ts';
import { actorOf, invitationCalls, tokenIn } from '../../support/invitations.ts';
import { anEvent } from '../../support/recorded-events.ts';
import { pass } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { project_id } = project;
const { invite, mailsTo, countsOf, eventsOf, backend } = invitationCalls(world);

type Bulk = { results: { invitation?: object }[] };
const pending = async (workspace_id: string) =>
  (await as(project).members.list({ workspace_id, status: 'pending' })).body;
const invitedTo = async (auth: string) =>
  (await as(auth).workspaces.listInvited()).body.invited_workspaces;
const seconds = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1_000;
test('201 a pending member, who is not counted as a member and finds the invitation', async () => {
  const { workspace_id, owner } = await world.workspace();
  const ada = await world.user();
  const { status, body } = await invite(workspace_id, { email: ada.email, role: 'admin' });
  expect(status).toBe(201);
  expect(body).toEqual(
    anInvitation(workspace_id, ada.user, owner.user, {
      role: 'admin',
      modified_at: body.created_at,
      link: aLink(workspace_id),
    }),
  );
  expect(seconds(body.created_at, body.expires_at)).toBe(7 * 86_400);
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 1 });
  const { last_sign_in_at: _, ...user } = ada.user;
  expect(await pending(workspace_id)).toEqual({
    total: 1,
    count: 1,
    result: [{ ...user, role: 'admin', member_id: body.member_id }],
  });
  expect(await invitedTo(ada.bearer)).toMatchObject([{ workspace_id }]);
});

test('201 the backend, the owner and an admin can invite; a user is the inviter, and the caller the actor of the event', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const admin = await world.member(workspace, 'admin');
  for (const [{ bearer: auth = project.basic }, inviter, actor] of [
    [{}, owner, await backend()],
    [owner, owner, actorOf(owner)],
    [admin, admin, actorOf(admin)],
  ] as [{ bearer?: string }, Person, ReturnType<typeof actorOf>][]) {
    const { user, email } = await world.user();
    const { body } = await invite(workspace_id, { email, role: 'admin' }, auth);
    const { user_id, member_id, role } = body;
    const link = aLink(workspace_id);
    expect(body).toEqual(anInvitation(workspace_id, user, inviter.user, { role, link }));
    expect(await eventsOf(workspace_id)).toEqual([
      anEvent(actor, 'workspace.invitation.created', { user_id, member_id, role }),
    ]);
  }
});

test('201 creates the user of an unknown e-mail', async () => {
  const { workspace_id, owner } = await world.workspace();
  const { status, body } = await invite(workspace_id, { email: 'New@Example.com', role: 'member' });
  expect(status).toBe(201);
  const { user_id } = body;
  const user = aUser({ uid: user_id, project_id, email: 'New@Example.com' });
  const link = aLink(workspace_id);
  expect(body).toEqual(anInvitation(workspace_id, user, owner.user, { link }));
  expect(user_id).toEqual(anId());
  const found = await as(project).users.create({ email: 'new@example.com' });
  const { sign_in_methods: _, ...created } = user;
  expect([found.status, found.body]).toEqual([200, created]);
});

test('201 finds the user whatever the capitals of the e-mail', async () => {
  const { workspace_id } = await world.workspace();
  const ada = await world.user({ email: 'ada@example.com' });
  const { body } = await invite(workspace_id, { email: 'ADA@example.COM', role: 'member' });
  expect(body).toMatchObject({ user_id: ada.uid, email: 'ada@example.com' });
});

test('201 ignores a user of another project with the same e-mail', async () => {
  const foreign = await world.newProject();
  const theirs = await world.user({ email: 'both@example.com', project: foreign });
  const { workspace_id } = await world.workspace();
  const { status, body } = await invite(workspace_id, {
    email: 'both@example.com',
    role: 'member',
  });
  expect(status).toBe(201);
  expect(body.user_id).not.toBe(theirs.uid);
  expect(await invitedTo(theirs.bearer)).toEqual([]);
});

test('201 expires after the requested time, from a minute to 30 days', async () => {
  const { workspace_id } = await world.workspace();
  for (const expires_in of [60, 30 * 86_400]) {
    const email = `for-${expires_in}@example.com`;
    const { body } = await invite(workspace_id, { email, role: 'member', expires_in });
    expect(seconds(body.modified_at, body.expires_at)).toBe(expires_in);
  }
});

test('mails the invitee the inviter, the workspace, the message and a link of its own', async () => {
  const owner = await world.user({ email: 'grace@inviter.example' });
  const { workspace_id } = await world.workspace({ owner, name: 'Engines' });
  const email = 'ada@mailed.example';
  const message = 'Join us\nat https://evil.example now';
  const { body } = await invite(workspace_id, { email, role: 'member', message }, owner.bearer);
  expect(body.message).toBe(message);
  const [mail, ...others] = await mailsTo(email);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('grace@\u200cinviter.\u200cexample invited you to “Engines” on Test');
  const plain = mail?.text.replaceAll('\u200c', '') ?? '';
  for (const shown of [
    '“Engines”',
    'grace@inviter.example',
    '“Join us at https://evil.example now”',
  ])
    expect(plain).toContain(shown);
  // Text from the inviter does not become a link.
  expect(mail?.html).not.toContain('evil.example');
  const [mailed = ''] = /^https:\/\/\S+$/m.exec(mail?.text ?? '') ?? [];
  expect(mailed).toEqual(aLink(workspace_id));
  expect(tokenIn(mailed)).not.toBe(tokenIn(body.link));
});

test('send_mail false sends no mail and does not count towards the limit of mails', async () => {
  const { workspace_id } = await world.workspace();
  const email = 'quiet@example.com';
  for (let i = 0; i < 12; i += 1) {
    const { status, body } = await invite(workspace_id, {
      email,
      role: 'member',
      send_mail: false,
    });
    expect([status, body.link]).toEqual([201, aLink(workspace_id)]);
    await as(project).invitations.end({ workspace_id, user_id: body.user_id });
  }
  expect(await mailsTo(email)).toEqual([]);
});

test.each([true, false])(
  'replaces an invitation to the previous e-mail of the user, bulk: %s',
  async (bulk) => {
    const { workspace_id } = await world.workspace();
    const ada = await world.invited(await world.workspace());
    const former = await invite(workspace_id, { email: ada.email, role: 'admin' });
    const email = `now-${bulk}@example.com`;
    await as(project).users.update({ uid: ada.uid, email });
    const listed = await as(project).invitations.list({ workspace_id });
    expect(listed.body.result).toMatchObject([{ user_id: ada.uid, email: ada.email }]);
    const one = { email, role: 'member' };
    const { body } = await invite(workspace_id, bulk ? { invitations: [one] } : one);
    const made = bulk ? (body as unknown as Bulk).results[0]?.invitation : body;
    expect(made).toMatchObject({ user_id: ada.uid, email, role: 'member' });
    expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 1 });
    const token = tokenIn(former.body.link);
    expectProblem(await as(ada).invitations.accept({ token }), 'mail_token_invalid');
    expect(await eventsOf(workspace_id)).toMatchObject([
      { type: 'workspace.invitation.revoked' },
      { type: 'workspace.invitation.created' },
    ]);
    expect((await invite(workspace_id, one)).body).toMatchObject({ code: 'invitation_exists' });
  },
);

test('429 for an e-mail that was invited ten times today, by any workspace', async () => {
  const spaces = [await world.workspace(), await world.workspace()];
  const email = 'often@example.com';
  for (let i = 0; i < 10; i += 1) {
    const { workspace_id = '' } = spaces[i % 2] ?? {};
    const { status, body } = await invite(workspace_id, { email, role: 'member' });
    expect(status).toBe(201);
    await as(project).invitations.end({ workspace_id, user_id: body.user_id });
  }
  const { workspace_id = '' } = spaces[0] ?? {};
  const answer = await invite(workspace_id, { email: 'OFTEN@example.com', role: 'member' });
  expectProblem(answer, 'too_many_requests', { detail: expect.stringContaining('today') });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 0 });
  // An invitation that was revoked meanwhile is not mailed.
  expect(await mailsTo(email)).toEqual([]);
  // Members and backends have separate limits, and neither blocks the other.
  const [{ owner } = await world.workspace()] = spaces;
  const byPerson = await as(owner).invitations.create({ workspace_id, email, role: 'member' });
  expect(byPerson.status).toBe(201);
  await as(owner).invitations.end({ workspace_id, user_id: byPerson.body.user_id });
});

test('429 once the workspace has used its mails of the day; invitations without a mail do not count', async () => {
  const { workspace_id } = await world.workspace();
  const today = new Date().toISOString().slice(0, 10);
  await world.table.update(keys.workspace(workspace_id), {
    mail_day: today,
    mailed_count: limits.invitationMailsPerDay - 1,
  });
  const one = (email: string, more = {}) =>
    invite(workspace_id, { email, role: 'member', ...more });
  expect((await one('last@example.com')).status).toBe(201);
  const before = await world.table.query(`WS#${workspace_id}`);
  expectProblem(await one('beyond@example.com'), 'too_many_requests', {
    detail: 'The workspace has mailed enough invitations for today',
  });
  expect(await world.table.query(`WS#${workspace_id}`)).toEqual(before);
  expect((await one('silent@example.com', { send_mail: false })).status).toBe(201);
  await world.table.update(keys.workspace(workspace_id), { mail_day: '2026-01-01' });
  expect((await one('beyond@example.com')).status).toBe(201);
  const { mail_day, mailed_count } = (await world.table.get(keys.workspace(workspace_id))) ?? {};
  expect([mail_day, mailed_count]).toEqual([today, 1]);
});

test('409 invitation_exists with the ids of the pending invitation, whatever the role; sends no second mail', async () => {
  const { workspace_id } = await world.workspace();
  const { body: first } = await invite(workspace_id, {
    email: 'again@example.com',
    role: 'member',
  });
  const { member_id, user_id } = first;
  for (const role of ['member', 'admin']) {
    const answer = await invite(workspace_id, { email: 'Again@example.com', role });
    expectProblem(answer, 'invitation_exists', { member_id, user_id });
  }
  const { total, result } = await pending(workspace_id);
  expect([total, result[0].role]).toEqual([1, 'member']);
  expect(await mailsTo('again@example.com')).toHaveLength(1);
});

test('409 already_member with the ids of the member, suspended or not', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const { email, member } = await world.member(workspace);
  const { member_id, user_id } = member;
  const again = () => invite(workspace_id, { email, role: 'member' });
  expectProblem(await again(), 'already_member', { member_id, user_id });
  await as(project).members.suspend({ workspace_id, user_id, suspended: true });
  expectProblem(await again(), 'already_member', { member_id, user_id });
  const { body: owners } = await as(project).members.join({ workspace_id, user_id: owner.uid });
  expectProblem(
    await invite(workspace_id, { email: owner.email, role: 'member' }),
    'already_member',
    { member_id: owners.member_id, user_id: owner.uid },
  );
  expect((await pending(workspace_id)).total).toBe(0);
});

test('201 replaces an expired invitation by a new one, counted once', async () => {
  const { workspace_id } = await world.workspace();
  const given = { email: 'late@example.com', role: 'member', expires_in: 60 };
  const { body: first } = await invite(workspace_id, given);
  pass(61_000);
  const { status, body } = await invite(workspace_id, { ...given, role: 'admin' });
  expect(status).toBe(201);
  expect(body.user_id).toBe(first.user_id);
  expect(body.member_id).not.toBe(first.member_id);
  expect(body).toMatchObject({ role: 'admin', state: 'pending' });
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 1 });
  expect((await as(project).invitations.list({ workspace_id, state: 'expired' })).body.total).toBe(
    0,
  );
  expect(await eventsOf(workspace_id)).toMatchObject([
    { type: 'workspace.invitation.expired', data: { member_id: first.member_id } },
    { type: 'workspace.invitation.created', data: { member_id: body.member_id } },
  ]);
});

test('409 invitation_limit_reached for too many pending invitations, counting and creating nothing', async () => {
  const { workspace_id } = await world.workspace();
  const key = keys.workspace(workspace_id);
  await world.table.update(key, { pending_member_count: 1_000 });
  const late = { email: 'tardy@example.com', role: 'member' };
  for (let i = 0; i < 11; i += 1)
    expectProblem(await invite(workspace_id, late), 'invitation_limit_reached');
  await world.table.update(key, { total_member_count: 100_000 });
  const latest = { email: 'later@example.com', role: 'member' };
  expectProblem(await invite(workspace_id, latest), 'invitation_limit_reached');
  expect((await as(project).users.create({ email: 'later@example.com' })).status).toBe(201);
});

test('201 at the limit deletes twenty expired invitations to make room, each with an event', async () => {
  const { workspace_id } = await world.workspace();
  const guest = (i: number) => ({ email: `guest${i}@example.com`, role: 'member' });
  for (let i = 0; i < 22; i += 1) await invite(workspace_id, { ...guest(i), expires_in: 60 });
  // So many more, not shown here.
  const key = keys.workspace(workspace_id);
  await world.table.update(key, { pending_member_count: 1_000 });
  pass(61_000);
  expect((await invite(workspace_id, guest(22))).status).toBe(201);
  const { pending_member_count } = (await world.table.get(key)) ?? {};
  expect(pending_member_count).toBe(981);
  expect((await as(project).invitations.list({ workspace_id, state: 'expired' })).body.total).toBe(
    2,
  );
  expect((await as(project).invitations.list({ workspace_id })).body.result).toMatchObject([
    { email: guest(22).email },
  ]);
  await world.drainStream();
  const events = world.events().filter((each) => each.workspace_id === workspace_id);
  expect(events.filter(({ type }) => type === 'workspace.invitation.expired')).toHaveLength(20);
});

test('400 for user_id and dry_run, which this endpoint does not take', async () => {
  expectInvalid(
    await invite(unknownWorkspaceId, { user_id: 'x', dry_run: true }),
    ...['/body/email', '/body/role', '/body/user_id', '/body/dry_run'],
  );
});
