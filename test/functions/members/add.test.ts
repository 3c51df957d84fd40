import { describe, expect, test } from 'vitest';
import { byMember } from '#shared/db/index-attributes.ts';
import { keys } from '#shared/db/keys.ts';
import { newUid } from '#shared/model/ids.ts';
import { rates } from '#shared/model/rates.ts';
import { aMember, aTime, expectProblem } from '../../support/expectations.ts';
import { actorOf, invitationCalls } from '../../support/invitations.ts';
import { anEvent } from '../../support/recorded-events.ts';
import { atWindow } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { countsOf, workspacesOf, eventsOf, backend, mailsTo } = invitationCalls(world);
const add = (workspace_id: string, user_id: string, role: string, auth = project.basic) =>
  as(auth).members.add({ workspace_id, user_id, role });
const list = async (workspace_id: string, status = 'accepted') =>
  (await as(project).members.list({ workspace_id, status })).body;

test('201 the backend adds a user, with the owner as the inviter; 200 for a repeated request', async () => {
  const { workspace_id, owner } = await world.workspace();
  const ada = await world.user();
  const { status, body } = await add(workspace_id, ada.uid, 'admin');
  expect(status).toBe(201);
  expect(body).toEqual(
    aMember(workspace_id, ada.user, owner.user, { role: 'admin', modified_at: body.created_at }),
  );
  const again = await add(workspace_id, ada.uid, 'admin');
  expect([again.status, again.body]).toEqual([200, body]);
  const { uid: user_id } = ada;
  const data = { user_id, member_id: body.member_id, role: 'admin' };
  expect(await eventsOf(workspace_id)).toEqual([
    anEvent(await backend(), 'workspace.member.added', data),
  ]);
  const { total, result } = await list(workspace_id);
  expect(total).toBe(2);
  expect(result[1]).toMatchObject({ uid: ada.uid, role: 'admin', member_id: body.member_id });
});

test('201 the owner and an admin add a user of a shared workspace, and are the inviter', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const admin = await world.member(workspace, 'admin');
  // More than are read of the shared ones, and older.
  const others = Array.from({ length: 40 }, (_, i) => ({
    ...{ pk: `OTHERS#${owner.uid}`, sk: String(i), role: 'member' },
    ...byMember(
      'accepted',
      owner.uid,
      `wid-0192f0c1-0000-7000-8000-${String(i).padStart(12, '0')}`,
    ),
  }));
  await world.table.putAll(others);
  for (const actor of [owner, admin]) {
    const ada = await world.user();
    await share(actor, ada);
    const { status, body } = await add(workspace_id, ada.uid, 'member', actor.bearer);
    expect(status).toBe(201);
    expect(body).toEqual(aMember(workspace_id, ada.user, actor.user));
  }
  for (const { pk, sk } of others) await world.table.delete({ pk, sk });
  expect((await list(workspace_id)).total).toBe(4);
});

describe('by the owner', () => {
  const pending = { total: 1, count: 1 };

  test('201 a user without a shared workspace is invited by mail, and not added', async () => {
    const { workspace_id, owner } = await world.workspace();
    const ada = await world.user();
    const { status, body } = await add(workspace_id, ada.uid, 'admin', owner.bearer);
    expect(status).toBe(201);
    const member = aMember(workspace_id, ada.user, owner.user, {
      status: 'pending',
      role: 'admin',
    });
    expect(body).toEqual(member);
    expect((await list(workspace_id)).total).toBe(1);
    expect(await list(workspace_id, 'pending')).toMatchObject(pending);
    expect(await workspacesOf(ada.uid)).toBe(0);
    expect(await mailsTo(ada.email)).toHaveLength(1);
    expect(await eventsOf(workspace_id)).toEqual([
      anEvent(actorOf(owner), 'workspace.invitation.created', {
        ...{ user_id: ada.uid, member_id: body.member_id, role: 'admin' },
      }),
    ]);

    const again = await add(workspace_id, ada.uid, 'admin', owner.bearer);
    expect([again.status, again.body]).toEqual([200, body]);
    const { member_id, user_id } = body;
    const other = await add(workspace_id, ada.uid, 'member', owner.bearer);
    expectProblem(other, 'invitation_exists', { member_id, user_id });
    expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 1 });
    expect(await mailsTo(ada.email)).toHaveLength(1);
  });

  test('201 a user is added after a join request, or with a verified e-mail in a proven domain', async () => {
    const { workspace_id, owner } = await world.workspace();
    const [asker, colleague] = ['ada@asks.com', 'bob@proven.com'].map((email) =>
      world.user({ email, verified: true }),
    );
    const mode = { mode: 'suggest' };
    await as(project).domains.set({ workspace_id, domain: 'asks.com', ...mode });
    await as((await asker)!.bearer).joinRequests.create({ workspace_id });
    const proven_domains = { 'proven.com': '2026-11-21T08:00:00.000Z' };
    await world.table.update(keys.workspace(workspace_id), { proven_domains });
    for (const { uid } of [(await asker)!, (await colleague)!]) {
      const { status, body } = await add(workspace_id, uid, 'member', owner.bearer);
      expect([status, body.status]).toEqual([201, 'accepted']);
    }
  });

  test.each([
    ['with an unverified e-mail in a proven domain', 'proven', false],
    ['with a verified e-mail in an allowed domain that is not proven', 'claimed', true],
  ])('201 a user %s is invited', async (_, name, verified) => {
    const { workspace_id, owner } = await world.workspace();
    const domain = `${name}-only.com`;
    const { uid } = await world.user({ email: `ada@${domain}`, verified });
    await as(project).domains.set({ workspace_id, domain, mode: 'suggest' });
    if (name === 'proven') {
      const proven_domains = { [domain]: '2026-11-21T08:00:00.000Z' };
      await world.table.update(keys.workspace(workspace_id), { proven_domains });
    }
    const { body } = await add(workspace_id, uid, 'member', owner.bearer);
    expect(body.status).toBe('pending');
  });

  test('201 a user is invited if every shared workspace is deleted, or either has left it or is suspended there', async () => {
    const { workspace_id, owner } = await world.workspace();
    const ends = {
      deleted: (shared: string) => as(project).workspaces.delete({ workspace_id: shared }),
      left: (shared: string, uid: string) =>
        as(project).members.remove({ workspace_id: shared, user_id: uid }),
      leftButIndexed: async (shared: string, uid: string) => {
        await ends.left(shared, uid);
        const index = byMember('accepted', uid, shared);
        await world.table.put({ pk: shared, sk: uid, ...index, role: 'member' });
      },
      suspended: (shared: string, uid: string) =>
        as(project).members.suspend({ workspace_id: shared, user_id: uid, suspended: true }),
    };
    for (const end of Object.values(ends)) {
      const ada = await world.user();
      const shared = await share(owner, ada);
      await end(shared, ada.uid);
      const { body } = await add(workspace_id, ada.uid, 'member', owner.bearer);
      await world.table.delete({ pk: shared, sk: ada.uid });
      expect(body.status).toBe('pending');
    }
    const ada = await world.user();
    const shared = await share(ada, owner);
    await ends.suspended(shared, owner.uid);
    const statusOf = async () =>
      (await add(workspace_id, ada.uid, 'member', owner.bearer)).body.status;
    expect(await statusOf()).toBe('pending');
    await share(ada, owner);
    expect(await statusOf()).toBe('accepted');
  });

  test('409 email_missing for a user without an e-mail to invite', async () => {
    const { workspace_id, owner } = await world.workspace();
    const uid = newUid(new Date());
    await as(project).users.get({ uid });
    expectProblem(await add(workspace_id, uid, 'member', owner.bearer), 'email_missing');
  });

  test('429 after exactly as many additions as one caller may make in a day, across workspaces', async () => {
    const owner = await world.user();
    const { uid } = owner;
    const places = [1, 2, 3, 4, 5].map(() => world.workspace({ owner }));
    const ada = await world.user();
    await share(owner, ada);
    const { seconds, max } = rates.additionsByOne;
    atWindow(seconds, 3_600);
    const window = Math.floor(Date.now() / 1_000 / seconds);
    const [key, { bearer }] = [keys.rate('additionsByOne', uid, window), await world.session(uid)];
    await world.table.put({ ...key, count: max - 2 });
    const ids = (await Promise.all(places)).map(({ workspace_id }) => workspace_id);
    const answers = await Promise.all(ids.map((id) => add(id, ada.uid, 'member', bearer)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      201, 201, 429, 429, 429,
    ]);
    for (const answer of answers.filter(({ status }) => status === 429)) {
      expectProblem(answer, 'too_many_requests');
      expect(answer.headers.get('retry-after')).toBe(String(23 * 3_600));
    }
    expect((await world.table.get(key))?.['count']).toBe(max);
    const back = await Promise.all(ids.map((id) => add(id, ada.uid, 'member')));
    expect(back.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200, 200, 201, 201, 201,
    ]);
  });
});

/** Adds both users to one workspace. */
async function share(one: Person, other: Person): Promise<string> {
  const workspace = await world.workspace({ owner: one });
  await world.member(workspace, 'member', other);
  return workspace.workspace_id;
}

test('201 an invited user becomes the same member, with the given role', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const ada = await world.invited(workspace, 'member');
  const { status, body } = await add(workspace_id, ada.uid, 'admin');
  expect(status).toBe(201);
  expect(body).toEqual({ ...ada.member, status: 'accepted', role: 'admin', modified_at: aTime() });
  expect(await list(workspace_id, 'pending')).toEqual({ total: 0, count: 0, result: [] });
  expect(await countsOf(workspace_id)).toEqual({ members: 2, invitations: 0 });
  expect(await workspacesOf(ada.uid)).toBe(1);
  expect(await world.table.query(`WS#${workspace_id}`, 'INVITE#')).toEqual([]);
});

test('201 a user whose invitation has expired becomes another member', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const ada = await world.invited(workspace);
  await world.table.update(keys.invitation(workspace_id, ada.uid), {
    invitation_expires_at: new Date().toISOString(),
  });
  const { status, body } = await add(workspace_id, ada.uid, 'member');
  expect(status).toBe(201);
  expect(body.member_id).not.toBe(ada.member.member_id);
  expect(await world.table.query(`WS#${workspace_id}`, 'INVITE#')).toEqual([]);
});

test('409 already_member with the member id for a member with another role, who stays unchanged', async () => {
  const { workspace_id, owner } = await world.workspace();
  const { uid } = await world.user();
  await add(workspace_id, uid, 'member');
  const before = await list(workspace_id);
  for (const [user_id, role] of [
    [uid, 'admin'],
    [owner.uid, 'member'],
  ] as const) {
    const { member_id } = before.result.find((each: { uid: string }) => each.uid === user_id);
    expectProblem(await add(workspace_id, user_id, role), 'already_member', { member_id });
  }
  // Without permission to add members, the caller does not learn who is a member.
  const { bearer } = await world.session(uid);
  expectProblem(await add(workspace_id, owner.uid, 'member', bearer), 'forbidden');
  expect(await list(workspace_id)).toEqual(before);
});

test('409 for a user with too many workspaces, and where the workspace is full', async () => {
  const { workspace_id } = await world.workspace();
  const { uid } = await world.user();
  await world.table.update(keys.user(uid), { workspace_count: 1_000 });
  expectProblem(await add(workspace_id, uid, 'member'), 'workspace_limit_reached');
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 0 });
  await world.table.update(keys.workspace(workspace_id), { total_member_count: 100_000 });
  const { uid: another } = await world.user();
  expectProblem(await add(workspace_id, another, 'member'), 'member_limit_reached');
});

describe('with suspended: true', () => {
  const addSuspended = (workspace_id: string, user_id: string, auth = project.basic) =>
    as(auth).members.add({ workspace_id, user_id, role: 'member', suspended: true });

  test('201 the member is counted, has two events, and has no access until resumed', async () => {
    const { workspace_id } = await world.workspace();
    const ada = await world.user();
    const { status, body } = await addSuspended(workspace_id, ada.uid);
    expect([status, body]).toMatchObject([201, { status: 'accepted', suspended: true }]);
    expect((await as(ada).workspaces.get({ workspace_id })).status).toBe(404);
    expect(await countsOf(workspace_id)).toEqual({ members: 2, invitations: 0 });
    expect(await workspacesOf(ada.uid)).toBe(1);
    const data = { user_id: ada.uid, member_id: body.member_id, role: 'member' };
    expect(await eventsOf(workspace_id)).toEqual([
      anEvent(await backend(), 'workspace.member.added', data),
      anEvent(await backend(), 'workspace.member.suspended', data),
    ]);
    const again = await addSuspended(workspace_id, ada.uid);
    expect([again.status, again.body]).toEqual([200, body]);
    // Adding a suspended member again does not lift the suspension.
    expect((await add(workspace_id, ada.uid, 'member')).body.suspended).toBe(true);
    const { members } = as(project);
    await members.suspend({ workspace_id, user_id: ada.uid, suspended: false });
    expect((await as(ada).workspaces.get({ workspace_id })).status).toBe(200);
  });

  test('201 an invited user keeps the member id', async () => {
    const workspace = await world.workspace();
    const ada = await world.user();
    const { member } = await world.invited(workspace, 'member', ada);
    const { body } = await addSuspended(workspace.workspace_id, ada.uid);
    expect(body).toMatchObject({ member_id: member.member_id, suspended: true });
  });

  test('200 suspends an existing member, but not the owner', async () => {
    const workspace = await world.workspace();
    const { workspace_id, owner } = workspace;
    const ada = await world.member(workspace, 'member');
    const { status, body } = await addSuspended(workspace_id, ada.uid, owner.bearer);
    expect([status, body]).toMatchObject([200, { suspended: true }]);
    expect((await as(ada).workspaces.get({ workspace_id })).status).toBe(404);
    const theOwner = { workspace_id, user_id: owner.uid, role: 'admin', suspended: true } as const;
    expectProblem(await as(project).members.add(theOwner), 'owner_must_stay');
  });

  test('403 for a plain member and for a stranger, who is not invited; 201 for a user of a shared workspace', async () => {
    const workspace = await world.workspace();
    const { workspace_id, owner } = workspace;
    const [known, stranger] = [await world.user(), await world.user()];
    await share(owner, known);
    const member = await world.member(workspace, 'member');
    expectProblem(await addSuspended(workspace_id, known.uid, member.bearer), 'forbidden');
    const { status, body } = await addSuspended(workspace_id, known.uid, owner.bearer);
    expect([status, body]).toMatchObject([201, { suspended: true }]);
    expectProblem(await addSuspended(workspace_id, stranger.uid, owner.bearer), 'forbidden');
    expect(await countsOf(workspace_id)).toEqual({ members: 3, invitations: 0 });
    expect(await mailsTo(stranger.email)).toEqual([]);
  });

  test('403 for a role that may add members but not suspend them', async () => {
    const own = await world.newProject();
    await as(own).roles.set({ role: 'adder', permissions: ['member:add'] });
    const workspace = await world.workspace({ owner: await world.user({ project: own }) });
    const { workspace_id } = workspace;
    const adder = await world.user({ project: own });
    await as(own).members.add({ workspace_id, user_id: adder.uid, role: 'adder' });
    const known = await world.user({ project: own });
    await share(adder, known);
    const refused = await addSuspended(workspace_id, known.uid, adder.bearer);
    expectProblem(refused, 'forbidden');
    const given = { workspace_id, user_id: known.uid, role: 'member' };
    expect((await as(adder.bearer).members.add(given)).status).toBe(201);
  });
});
