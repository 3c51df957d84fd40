import { expect, test } from 'vitest';
import { aMember, aTime, expectProblem } from '../../support/expectations.ts';
import { actorOf, invitationCalls } from '../../support/invitations.ts';
import { anEvent } from '../../support/recorded-events.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { countsOf, workspacesOf, eventsOf, backend } = invitationCalls(world);
const join = (workspace_id: string, user_id: string, auth = project.basic, join_token?: string) =>
  as(auth).members.join({ workspace_id, user_id, join_token });
const count = async (workspace_id: string) =>
  (await as(project).workspaces.get({ workspace_id })).body.total_member_count;
const itemsOf = async (workspace_id: string) =>
  (await world.table.query(`WS#${workspace_id}`)).map(({ sk }) => sk);
const allow = (workspace_id: string, ...allowed_domains: string[]) =>
  as(project).workspaces.setAllowedDomains({ workspace_id, allowed_domains });

test('201 the backend adds a user of its project as a plain member', async () => {
  const { workspace_id, owner } = await world.workspace();
  const ada = await world.user();
  const { status, body } = await join(workspace_id, ada.uid);
  expect(status).toBe(201);
  expect(body).toEqual(
    aMember(workspace_id, ada.user, owner.user, { modified_at: body.created_at }),
  );
  expect(await count(workspace_id)).toBe(2);
  const joined = await as(ada).workspaces.listJoined();
  expect(joined.body).toMatchObject([{ workspace_id, total_member_count: 2 }]);
});

test('200 for a repeated request of backend or user, which is counted once', async () => {
  const { workspace_id } = await world.workspace();
  const ada = await world.user();
  const { body: first } = await join(workspace_id, ada.uid);
  for (const auth of [project.basic, ada.bearer]) {
    const { status, body } = await join(workspace_id, ada.uid, auth);
    expect(status).toBe(200);
    expect(body).toEqual(first);
  }
  expect(await count(workspace_id)).toBe(2);
});

test('200 an admin stays an admin', async () => {
  const workspace = await world.workspace();
  const { uid, bearer, member } = await world.member(workspace, 'admin');
  const { status, body } = await join(workspace.workspace_id, uid, bearer);
  expect([status, body]).toEqual([200, member]);
});

test.each([
  ['accepts', 'member'],
  ['accepts', 'admin'],
  ['is added by the backend', 'admin'],
] as const)(
  '201 an invited user %s and becomes the same member, with the offered role %s',
  async (how, role) => {
    const workspace = await world.workspace();
    const { workspace_id } = workspace;
    const ada = await world.invited(workspace, role);
    const by = how === 'accepts' ? ada.bearer : project.basic;
    const { status, body } = await join(workspace_id, ada.uid, by);
    expect(status).toBe(201);
    expect(body).toEqual({ ...ada.member, status: 'accepted', role, modified_at: aTime() });
    expect(body.modified_at > ada.member.modified_at).toBe(true);
    expect(await itemsOf(workspace_id)).toEqual(
      [`MEMBER#${workspace.owner.uid}`, `MEMBER#${ada.uid}`, 'WS'].sort(),
    );
    const pending = await as(project).members.list({ workspace_id, status: 'pending' });
    expect(pending.body).toEqual({ total: 0, count: 0, result: [] });
    expect(await count(workspace_id)).toBe(2);
  },
);

test('403 for an invited user until the e-mail is verified', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const ada = await world.invited(workspace, 'admin', await world.user());
  expectProblem(await join(workspace_id, ada.uid, ada.bearer), 'forbidden');
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 1 });
  await as(project).users.create({ email: ada.email, email_verified: true });
  expect((await join(workspace_id, ada.uid, ada.bearer)).body.role).toBe('admin');
});

test('403 membership_suspended for the user, 200 for the backend', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { uid, bearer, member } = await world.member(workspace);
  const { body: suspended } = await as(project).members.suspend({
    workspace_id,
    user_id: uid,
    suspended: true,
  });
  expectProblem(await join(workspace_id, uid, bearer), 'membership_suspended');
  const { status, body } = await join(workspace_id, uid);
  expect([status, body]).toEqual([200, suspended]);
  expect(body.member_id).toBe(member.member_id);
});

test('an event names the member and how they joined, and both counters are incremented', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const actor = await backend();
  const [added, invited] = [await world.user(), await world.invited(workspace, 'admin')];
  for (const [{ uid, bearer }, by, type, more] of [
    [added, actor, 'workspace.member.added', {}],
    [invited, actorOf(invited), 'workspace.member.joined', { via: 'invitation' }],
  ] as const) {
    const auth = by === actor ? project.basic : bearer;
    const { user_id, member_id, role } = (await join(workspace_id, uid, auth)).body;
    expect(await eventsOf(workspace_id)).toEqual([
      anEvent(by, type, { user_id, member_id, role, ...more }),
    ]);
    expect(await workspacesOf(uid)).toBe(1);
  }
  expect(await countsOf(workspace_id)).toEqual({ members: 3, invitations: 0 });
});

test('201 a user with a verified e-mail of an allowed domain can join', async () => {
  const { workspace_id, owner } = await world.workspace();
  await allow(workspace_id, 'example.org', 'open.com');
  const ada = await world.user({ email: 'Ada@OPEN.com', verified: true });
  const { status, body } = await join(workspace_id, ada.uid, ada.bearer);
  expect(status).toBe(201);
  expect(body).toEqual(aMember(workspace_id, ada.user, owner.user));
  const { user_id, member_id, role } = body;
  const data = { user_id, member_id, role, via: 'domain' };
  expect(await eventsOf(workspace_id)).toEqual([
    anEvent(actorOf(ada), 'workspace.member.joined', data),
  ]);
});

test('403 for an unverified e-mail, a subdomain and a domain that is no longer allowed', async () => {
  const { workspace_id } = await world.workspace();
  await allow(workspace_id, 'open.com');
  const eve = await world.user({ email: 'eve@open.com' });
  const sub = await world.user({ email: 'ada@mail.open.com', verified: true });
  for (const { uid, bearer } of [eve, sub])
    expectProblem(await join(workspace_id, uid, bearer), 'forbidden');
  await allow(workspace_id, 'other.com');
  const late = await world.user({ email: 'late@open.com', verified: true });
  expectProblem(await join(workspace_id, late.uid, late.bearer), 'forbidden');
  expect(await count(workspace_id)).toBe(1);
});

test('403 approval_required for a domain in mode suggest, until its mode is auto', async () => {
  const { workspace_id } = await world.workspace();
  const ada = await world.user({ email: 'ada@asks.com', verified: true });
  const unverified = await world.user({ email: 'eve@asks.com' });
  await as(project).domains.set({ workspace_id, domain: 'asks.com', mode: 'suggest' });
  expectProblem(await join(workspace_id, ada.uid, ada.bearer), 'approval_required');
  expectProblem(await join(workspace_id, unverified.uid, unverified.bearer), 'forbidden');
  await as(ada).joinRequests.create({ workspace_id });
  await as(project).domains.set({ workspace_id, domain: 'asks.com', mode: 'auto' });
  expect((await join(workspace_id, ada.uid, ada.bearer)).status).toBe(201);
  // The join request of a new member is gone.
  expect(await itemsOf(workspace_id)).not.toContain(`REQUEST#${ada.uid}`);
});

test('201 a domain that was allowed before modes existed lets users join', async () => {
  const { workspace_id } = await world.workspace();
  const key = { pk: `WS#${workspace_id}`, sk: 'WS' };
  await world.table.update(key, { allowed_domains: ['older.com'], domain_modes: undefined });
  const ada = await world.user({ email: 'ada@older.com', verified: true });
  expect((await join(workspace_id, ada.uid, ada.bearer)).status).toBe(201);
});
