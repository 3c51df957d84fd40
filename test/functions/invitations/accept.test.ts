import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { aTime, expectProblem, expectSame } from '../../support/expectations.ts';
import { actorOf, invitationCalls, tokenIn } from '../../support/invitations.ts';
import { preparedAccount } from '../../support/prepared.ts';
import { anEvent, eventsOf as toldByUser } from '../../support/recorded-events.ts';
import { signInProject } from '../../support/sign-in.ts';
import { pass } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { accept, mailsTo, countsOf, workspacesOf, eventsOf, backend } = invitationCalls(world);

const mailedTo = async (email: string) => tokenIn((await mailsTo(email))[0]?.text);
const verified = async (uid: string) => (await as(project).users.get({ uid })).body.verified.email;
const unproven = (email?: string) => world.user({ verified: false, ...(email && { email }) });
/** Invites a user whose e-mail is not verified. Resolves with both tokens. */
async function scene(person?: Person) {
  const workspace = await world.workspace();
  const ada = await world.invited(workspace, 'admin', person ?? (await unproven()));
  const { workspace_id } = workspace;
  return {
    workspace,
    workspace_id,
    ada,
    mailed: await mailedTo(ada.email),
    linkToken: tokenIn(ada.link),
  };
}

describe('the mailed token', () => {
  test('201 makes the invitee a member with the offered role, and verifies the e-mail', async () => {
    const { workspace_id, ada, mailed } = await scene();
    const { status, body } = await accept(mailed, ada.bearer);
    expect(status).toBe(201);
    expect(body).toEqual({ ...ada.member, status: 'accepted', modified_at: aTime() });
    expect(await verified(ada.uid)).toBe(true);
    expect(await countsOf(workspace_id)).toEqual({ members: 2, invitations: 0 });
    expect(await workspacesOf(ada.uid)).toBe(1);
    const { user_id, member_id, role } = ada.member;
    const actor = actorOf(ada);
    expect(await eventsOf(workspace_id)).toEqual([
      anEvent(actor, 'workspace.member.joined', { user_id, member_id, role, via: 'invitation' }),
    ]);
    expect((await toldByUser(world, ada.uid)).events).toEqual([
      anEvent(actor, 'user.email_verified'),
    ]);
    await world.drainStream();
    const published = world
      .events()
      .filter(({ data }) => 'user_id' in data && data.user_id === ada.uid);
    expect(published.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['workspace.member.joined', 'user.email_verified']),
    );
    // The list shows a copy from before the verification.
    const { body: listed } = await as(ada).members.list({ workspace_id, status: 'accepted' });
    expect(listed.result[1]).toMatchObject({ uid: ada.uid, verified: { email: true } });
  });

  test('201 records no verification if the e-mail was verified before', async () => {
    const { ada, mailed } = await scene(await world.user({ verified: true }));
    const before = await toldByUser(world, ada.uid);
    expect((await accept(mailed, ada.bearer)).status).toBe(201);
    expect(await toldByUser(world, ada.uid)).toEqual(before);
  });

  test('201 does not verify an e-mail that the user changed since', async () => {
    for (const auth of ['bearer', 'basic']) {
      const { ada, mailed } = await scene();
      const body = { email: `somebody-else-${auth}@example.com` };
      await as(project).users.update({ uid: ada.uid, ...body });
      const by = auth === 'basic' ? project.basic : ada.bearer;
      expect((await accept(mailed, by)).status).toBe(201);
      expect(await verified(ada.uid)).toBe(false);
    }
  });

  test('201 verifies the e-mail even if its capitals changed since', async () => {
    const { ada, mailed } = await scene();
    const body = { email: ada.email.toUpperCase() };
    await as(project).users.update({ uid: ada.uid, ...body });
    expect((await accept(mailed, ada.bearer)).status).toBe(201);
    expect(await verified(ada.uid)).toBe(true);
  });

  test('201 for the backend verifies the e-mail too', async () => {
    const { workspace_id, ada, mailed } = await scene();
    const { status, body } = await accept(mailed);
    expect(status).toBe(201);
    expect(body).toEqual({ ...ada.member, status: 'accepted', modified_at: aTime() });
    expect(await verified(ada.uid)).toBe(true);
    expect(await workspacesOf(ada.uid)).toBe(1);
    expect(await eventsOf(workspace_id)).toMatchObject([
      { type: 'workspace.member.joined', actor: await backend() },
    ]);
  });

  test('201 verifies the e-mail, and removes every sign-in method but that of the accepting session', async () => {
    // Of every kind of session: functions/emails/confirm.test.ts.
    const opening = 'google';
    const ours = await signInProject(world);
    const account = await preparedAccount(world, ours, 'victim@prepared.example');
    const { uid, email, people } = account;
    const owner = await world.user({ project: ours.project });
    const { workspace_id } = await world.workspace({ owner });
    await as(ours.project).invitations.create({ workspace_id, email, role: 'member' });
    const token = tokenIn((await mailsTo(email))[0]?.text);
    const { status } = await accept(token, people[opening].bearer);
    expect(status).toBe(201);
    expect(await account.state()).toEqual(account.expectedState(opening));
    expect((await toldByUser(world, uid)).events).toMatchObject([
      { type: 'user.email_verified', actor: actorOf(account) },
      ...account.resetEvents(opening),
    ]);
    const item = await world.table.get(keys.member(workspace_id, uid));
    const { version, modified_at } = (await world.table.get(keys.user(uid))) ?? {};
    expect(item?.['profile_version']).toBe(version);
    expect(JSON.parse(String(item?.['profile']))).toMatchObject({
      verified: { email: true },
      sign_in_methods: { google: { enabled: true } },
      modified_at,
    });
  });
});

describe("the link's token", () => {
  test.each(['the invitee', 'the backend'])(
    '201 for %s makes the invitee a member, and verifies nothing',
    async (by) => {
      const { workspace_id, ada, linkToken } = await scene();
      const before = await toldByUser(world, ada.uid);
      for (const status of [201, 200]) {
        const answer = await accept(linkToken, by === 'the invitee' ? ada.bearer : project.basic);
        expect(answer.status).toBe(status);
        expect(answer.body).toEqual({ ...ada.member, status: 'accepted', modified_at: aTime() });
      }
      expect(await verified(ada.uid)).toBe(false);
      expect(await toldByUser(world, ada.uid)).toEqual(before);
      expect(await countsOf(workspace_id)).toEqual({ members: 2, invitations: 0 });
    },
  );
});

describe('a retry', () => {
  test('200 returns the same member once more, with either token', async () => {
    const { workspace_id, ada, mailed, linkToken } = await scene();
    const { body: first } = await accept(mailed, ada.bearer);
    for (const [token, auth] of [
      [mailed, ada.bearer],
      [linkToken, ada.bearer],
      [mailed, project.basic],
    ] as const) {
      const { status, body } = await accept(token, auth);
      expect([status, body]).toEqual([200, first]);
    }
    expect(await countsOf(workspace_id)).toEqual({ members: 2, invitations: 0 });
    expect(await workspacesOf(ada.uid)).toBe(1);
  });

  test('403 membership_suspended once the member is suspended', async () => {
    const { workspace_id, ada, mailed } = await scene();
    await accept(mailed, ada.bearer);
    await as(project).members.suspend({ workspace_id, user_id: ada.uid, suspended: true });
    expectProblem(await accept(mailed, ada.bearer), 'membership_suspended');
    expect((await accept(mailed)).body).toMatchObject({ suspended: true });
    await as(project).members.suspend({ workspace_id, user_id: ada.uid, suspended: false });
    expect((await accept(mailed, ada.bearer)).status).toBe(200);
  });

  test('400 once the member has left, and for a member who joined in another way', async () => {
    const { workspace, workspace_id, ada, mailed } = await scene();
    await accept(mailed, ada.bearer);
    await as(ada).members.remove({ workspace_id, user_id: ada.uid });
    expectProblem(await accept(mailed, ada.bearer), 'mail_token_invalid');
    const ben = await world.invited(workspace);
    await as(project).members.join({ workspace_id, user_id: ben.uid });
    expectProblem(await accept(tokenIn(ben.link), ben.bearer), 'mail_token_invalid');
  });
});

describe('400 mail_token_invalid, with the same response as for a malformed token', () => {
  const nonsense = `${'A'.repeat(43)}.${'B'.repeat(43)}`;
  const expectRefused = async (token: string, auth: string) => {
    const answer = await accept(token, auth);
    expectProblem(answer, 'mail_token_invalid');
    expectSame(answer, await accept(nonsense, auth));
  };

  test('for another user, the inviter and another project', async () => {
    const { workspace, workspace_id, ada, mailed, linkToken } = await scene();
    const foreign = await world.newProject();
    const theirs = await world.user({ project: foreign });
    const member = await world.member(workspace);
    const people = [await world.user(), workspace.owner, member, theirs];
    for (const token of [mailed, linkToken])
      for (const auth of [...people.map(({ bearer }) => bearer), foreign.basic])
        await expectRefused(token, auth);
    expect(await countsOf(workspace_id)).toEqual({ members: 2, invitations: 1 });
    // The same for a used token.
    await accept(mailed, ada.bearer);
    for (const auth of [member.bearer, foreign.basic]) await expectRefused(mailed, auth);
  });

  test('once it has expired; after a resend the new token works', async () => {
    const workspace = await world.workspace();
    const { workspace_id } = workspace;
    const ada = await unproven();
    const given = { email: ada.email, role: 'member', expires_in: 60 };
    const { body } = await as(project).invitations.create({ workspace_id, ...given });
    const mailed = await mailedTo(ada.email);
    pass(61_000);
    for (const token of [mailed, tokenIn(body.link)])
      for (const auth of [ada.bearer, project.basic]) await expectRefused(token, auth);
    expect(await verified(ada.uid)).toBe(false);
    const { body: renewed } = await as(project).invitations.resend({
      workspace_id,
      user_id: ada.uid,
    });
    expect((await accept(tokenIn(renewed.link), ada.bearer)).status).toBe(201);
  });

  test('once the invitation was declined, even if it was created again', async () => {
    const { workspace, workspace_id, ada, mailed } = await scene();
    await as(ada).invitations.end({ workspace_id, user_id: ada.uid });
    await expectRefused(mailed, ada.bearer);
    await world.invited(workspace, 'member', ada);
    await expectRefused(mailed, ada.bearer);
    expect(await verified(ada.uid)).toBe(false);
  });
});

test('409 where the workspace is full, or the user has too many workspaces', async () => {
  const { workspace_id, ada, mailed } = await scene();
  const key = keys.workspace(workspace_id);
  await world.table.update(key, { total_member_count: 100_000 });
  expectProblem(await accept(mailed, ada.bearer), 'member_limit_reached');
  await world.table.update(key, { total_member_count: 1 });
  await world.table.update(keys.user(ada.uid), { workspace_count: 1_000 });
  expectProblem(await accept(mailed, ada.bearer), 'workspace_limit_reached');
  expect(await verified(ada.uid)).toBe(false);
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 1 });
});
