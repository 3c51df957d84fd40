import { beforeAll, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { rates } from '#shared/model/rates.ts';
import type { User } from '#shared/model/user-resources.ts';
import type { Workspace } from '#shared/model/workspace-resources.ts';
import { invitationCalls } from '../support/invitations.ts';
import type { Caller } from '../support/routes.ts';
import { type Person, startWorld } from '../support/world.ts';
import { counted, disturbed, oneOf, times } from './many.ts';

// No local engine raises TransactionConflict: here concurrent transactions fail only by their conditions. Conflicts are
// injected in test/shared.
const world = await startWorld();
const { as, project } = world;
const { members, invitations, users } = as(project);
const { countsOf } = invitationCalls(world);
let people: User[];
let owner: Person;
beforeAll(async () => {
  owner = await world.user({ verified: true });
  people = await times(30, async (i) => {
    const made = await users.create({ email: `p${i}@example.com`, email_verified: true });
    return made.body as User;
  });
});

type Space = Pick<Workspace, 'workspace_id'>;
const join = ({ workspace_id }: Space, user_id = '') => members.join({ workspace_id, user_id });
const add = ({ workspace_id }: Space, user_id = '', role = 'member', by: Caller = project) =>
  as(by).members.add({ workspace_id, user_id, role });
const invite = ({ workspace_id }: Space, email = '') =>
  invitations.create({ workspace_id, email, role: 'admin' });
const setRole = ({ workspace_id }: Space, user_id = '', role = '', by: Caller = project) =>
  as(by).members.changeRole({ workspace_id, user_id, role });

test('30 users who join concurrently are 30 more members', async () => {
  const workspace = await world.workspace({ owner });
  const answers = await times(30, (i) => join(workspace, people[i]?.uid));
  expect(counted(answers)).toEqual({ 201: 30 });
  expect(await countsOf(workspace.workspace_id)).toEqual({ members: 31, invitations: 0 });
});

test('one user who joins and is added 40 times concurrently is one member', async () => {
  const workspace = await world.workspace({ owner });
  const uid = people[0]?.uid;
  const answers = await times(40, (i) =>
    i % 2 === 0 ? join(workspace, uid) : add(workspace, uid),
  );
  expect(counted(answers)).toEqual({ 201: 1, 200: 39 });
  expect(new Set(answers.map(({ body }) => body.member_id)).size).toBe(1);
  expect(await countsOf(workspace.workspace_id)).toEqual({ members: 2, invitations: 0 });
});

test('concurrent additions with two roles: one role is stored, and requests for the other get already_member', async () => {
  const workspace = await world.workspace({ owner });
  const uid = people[0]?.uid;
  const roles = ['member', 'admin'];
  const answers = await times(20, (i) => add(workspace, uid, roles[i % 2]));
  expect(counted(answers)).toEqual({ 201: 1, 200: 9, already_member: 10 });
  expect(new Set(answers.flatMap(({ body }) => body.role ?? [])).size).toBe(1);
  await countsOf(workspace.workspace_id);
});

test('ten concurrent invitations of one new e-mail create one user and one invitation', async () => {
  const workspace = await world.workspace({ owner });
  // As many as the daily mail limit for one e-mail: each request counts before it can know that another one wins.
  const answers = await times(10, (i) =>
    invite(workspace, i % 2 ? 'New@example.com' : 'new@example.com'),
  );
  expect(oneOf(10, '201', 'invitation_exists')).toContainEqual(counted(answers));
  expect(new Set(answers.map(({ body }) => body.member_id)).size).toBe(1);
  expect(await countsOf(workspace.workspace_id)).toEqual({ members: 1, invitations: 1 });
  const { project_id } = project;
  const window = Math.floor(Date.now() / 1_000 / rates.invitationsToOne.seconds);
  const rate = keys.rate(
    'invitationsToOne',
    `${project_id} new@example.com by the backend`,
    window,
  );
  if (!disturbed()) expect((await world.table.get(rate))?.['count']).toBe(1);
});

test('a user who is invited, added and joins concurrently ends as a member only', async () => {
  const workspace = await world.workspace({ owner });
  await times(60, (i) => {
    const { uid, email } = people[i % 10] ?? {};
    if (i % 3 === 0) return invite(workspace, email);
    return i % 3 === 1 ? add(workspace, uid) : join(workspace, uid);
  });
  expect(await countsOf(workspace.workspace_id)).toEqual({ members: 11, invitations: 0 });
});

test('a user who accepts an invitation many times concurrently is counted once', async () => {
  const workspace = await world.workspace({ owner });
  await times(10, (i) => invite(workspace, people[i]?.email));
  expect(await countsOf(workspace.workspace_id)).toEqual({ members: 1, invitations: 10 });
  const answers = await times(50, (i) => join(workspace, people[i % 10]?.uid));
  expect(counted(answers)).toEqual({ 201: 10, 200: 40 });
  expect(new Set(answers.map(({ body }) => body.role))).toEqual(new Set(['admin']));
  expect(await countsOf(workspace.workspace_id)).toEqual({ members: 11, invitations: 0 });
});

test('one of two admins who demote each other concurrently succeeds', async () => {
  const [a, b] = await times(2, () => world.user());
  if (!a || !b) throw new Error('two people');
  await times(10, async () => {
    const workspace = await world.workspace({ owner });
    await world.member(workspace, 'admin', a);
    await world.member(workspace, 'admin', b);
    const [one, other] = await Promise.all([
      times(1, () => setRole(workspace, a.uid, 'member', b.bearer)),
      times(1, () => setRole(workspace, b.uid, 'member', a.bearer)),
    ]);
    const answers = [...one, ...other];
    expect(counted(answers)).toEqual({ 200: 1, forbidden: 1 });
    const { workspace_id } = workspace;
    const { body } = await members.list({ workspace_id, status: 'accepted' });
    const roles = body.result.map(({ role }: { role: string }) => role);
    expect(roles.sort()).toEqual(['admin', 'admin', 'member']);
  });
});

test('an admin who is demoted concurrently adds no member after that', async () => {
  const admin = await world.user();
  // A user without a shared workspace can only be invited.
  const shared = await world.workspace({ owner: admin });
  await times(5, (i) => add(shared, people[i]?.uid));
  await times(10, async () => {
    const workspace = await world.workspace({ owner });
    await world.member(workspace, 'admin', admin);
    const [[demoted], added] = await Promise.all([
      times(1, () => setRole(workspace, admin.uid, 'member')),
      times(5, (i) => add(workspace, people[i]?.uid, 'member', admin.bearer)),
    ]);
    expect(demoted?.status).toBe(200);
    // 200: a retry after a 503 that had added them.
    const done = added.filter(({ status }) => status < 300).length;
    expect(done + (counted(added)['forbidden'] ?? 0)).toBe(5);
    expect(await countsOf(workspace.workspace_id)).toEqual({ members: 2 + done, invitations: 0 });
  });
});

test('30 concurrent role changes of one member all succeed', async () => {
  const workspace = await world.workspace({ owner });
  const uid = people[0]?.uid;
  await add(workspace, uid);
  const answers = await times(30, (i) => setRole(workspace, uid, i % 2 ? 'admin' : 'member'));
  expect(counted(answers)).toEqual({ 200: 30 });
  await countsOf(workspace.workspace_id);
});
