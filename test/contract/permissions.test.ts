import { beforeAll, expect, test } from 'vitest';
import type { User, Workspace } from '#shared/model.ts';
import { type ErrorCode, errors } from '#shared/errors.ts';
import { keys } from '#shared/table/shape.ts';
import type { Call } from '../support/call.ts';
import { expectProblem } from '../support/expectations.ts';
import { type Person, startWorld, type TestProject } from '../support/world.ts';

const world = await startWorld();
let foreignProject: TestProject;
let foreigner: Person;
// Each cell has a workspace of its own; the people are the same in all of them.
let owner: Person;
let member: Person;
let person: Person;
let user: User;
let guest: Person;
beforeAll(async () => {
  // Verified, and so of a domain that opens nothing until it is allowed.
  owner = await world.user({ verified: true });
  person = await world.user({ verified: true });
  member = await world.user();
  ({ user } = await world.user());
  guest = await world.user();
  foreignProject = await world.newProject();
  foreigner = await world.user({ project: foreignProject });
});

// What each caller gets for each action, over HTTP. `foreign` is a person, `other` the back end of another project.
const decided = `
  action        project owner admin member invited none foreign other
  read          200     200   200   200    404     404  404     404
  list-accepted 200     200   200   200    404     404  404     404
  list-pending  200     200   200   403    404     404  404     404
  invite        201     201   201   403    404     404  404     404
  update        200     200   200   403    404     404  404     404
  read-events   200     200   200   403    404     404  404     404
  set-domains   200     200   200   403    404     404  404     404
  clear-domains 200     200   200   403    404     404  404     404
  list-domains  200     200   200   403    404     404  404     404
  set-domain    200     200   200   403    404     404  404     404
  prove-domain  200     200   200   403    404     404  404     404
  list-requests 200     200   200   403    404     404  404     404
  approve       201     201   201   403    404     404  404     404
  refuse        200     200   200   403    404     404  404     404
  list-links    200     200   200   403    404     404  404     404
  make-link     201     201   201   403    404     404  404     404
  admins-link   201     201   403   403    404     404  404     404
  revoke-link   200     200   200   403    404     404  404     404
  add           201     201   201   403    404     404  404     404
  promote       200     200   200   403    404     404  404     404
  demote-owner  409     409   409   403    404     404  404     404
  read-member   200     200   200   200    404     404  404     404
  remove        200     200   200   403    404     404  404     404
  remove-owner  409     409   409   403    404     404  404     404
  leave         404     409   200   200    404     404  404     404
  suspend       200     200   200   403    404     404  404     404
  suspend-owner 409     409   409   403    404     404  404     404
  list-invited  200     200   200   403    404     404  404     404
  resend        200     200   200   403    404     404  404     404
  revoke        200     200   200   403    404     404  404     404
  revoke-email  200     200   200   403    404     404  404     404
  decline       404     404   404   404    200     404  404     404
  delete        200     200   403   403    404     404  404     404
  restore       200     200   404   404    404     404  404     404
  offer         200     200   403   403    404     404  404     404
  accept        401     404   403   403    404     404  404     401
  end-offer     200     200   403   403    404     404  404     404
  join          201     200   200   200    201     403  403     404
`;
const [[, ...standings] = [], ...rows] = decided
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const cells = rows.flatMap(([action = '', ...row]) =>
  row.map((status, i) => [action, standings[i] ?? '', Number(status)] as const),
);

const proven = 'proven.com';
const link_id = 'lnk-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a05';

type Scene = { path: string; workspace_id: string; self: string };
const actions: Record<string, (scene: Scene) => Pick<Call, 'method' | 'path' | 'body'>> = {
  read: ({ path }) => ({ method: 'GET', path }),
  'list-accepted': ({ path }) => ({ method: 'GET', path: `${path}/users?status=accepted` }),
  'list-pending': ({ path }) => ({ method: 'GET', path: `${path}/users?status=pending` }),
  invite: ({ path }) => ({
    method: 'POST',
    path: `${path}/invitations`,
    body: { email: user.email, role: 'admin' },
  }),
  update: ({ path }) => ({ method: 'PUT', path, body: { name: 'Changed' } }),
  'read-events': ({ path }) => ({ method: 'GET', path: `${path}/events` }),
  'set-domains': ({ path }) => ({
    method: 'PUT',
    path: `${path}/allowed_domains`,
    body: { allowed_domains: ['example.com'] },
  }),
  'clear-domains': ({ path }) => ({
    method: 'PUT',
    path: `${path}/allowed_domains`,
    body: { allowed_domains: [] },
  }),
  'list-domains': ({ path }) => ({ method: 'GET', path: `${path}/allowed_domains` }),
  'set-domain': ({ path }) => ({
    method: 'PUT',
    path: `${path}/allowed_domains/example.com`,
    body: { mode: 'suggest' },
  }),
  'prove-domain': ({ path }) => ({
    method: 'POST',
    path: `${path}/allowed_domains/${proven}/proof`,
  }),
  'list-requests': ({ path }) => ({ method: 'GET', path: `${path}/join_requests` }),
  approve: ({ path }) => ({
    method: 'POST',
    path: `${path}/join_requests/${user.uid}/approve`,
    body: {},
  }),
  refuse: ({ path }) => ({ method: 'DELETE', path: `${path}/join_requests/${user.uid}` }),
  'list-links': ({ path }) => ({ method: 'GET', path: `${path}/join_links` }),
  'make-link': ({ path }) => ({ method: 'POST', path: `${path}/join_links`, body: {} }),
  'admins-link': ({ path }) => ({
    method: 'POST',
    path: `${path}/join_links`,
    body: { role: 'admin' },
  }),
  'revoke-link': ({ path }) => ({ method: 'DELETE', path: `${path}/join_links/${link_id}` }),
  add: ({ path }) => ({
    method: 'POST',
    path: `${path}/users`,
    body: { user_id: user.uid, role: 'admin' },
  }),
  promote: ({ path }) => ({
    method: 'PUT',
    path: `${path}/users/${member.uid}/role`,
    body: { role: 'admin' },
  }),
  'demote-owner': ({ path }) => ({
    method: 'PUT',
    path: `${path}/users/${owner.uid}/role`,
    body: { role: 'member' },
  }),
  'read-member': ({ path }) => ({ method: 'GET', path: `${path}/users/${member.uid}` }),
  remove: ({ path }) => ({ method: 'DELETE', path: `${path}/users/${member.uid}` }),
  'remove-owner': ({ path }) => ({ method: 'DELETE', path: `${path}/users/${owner.uid}` }),
  leave: ({ path, self }) => ({ method: 'DELETE', path: `${path}/users/${self}` }),
  suspend: ({ path }) => ({
    method: 'PUT',
    path: `${path}/users/${member.uid}/suspension`,
    body: { suspended: true },
  }),
  'suspend-owner': ({ path }) => ({
    method: 'PUT',
    path: `${path}/users/${owner.uid}/suspension`,
    body: { suspended: true },
  }),
  'list-invited': ({ path }) => ({ method: 'GET', path: `${path}/invitations` }),
  resend: ({ path }) => ({ method: 'POST', path: `${path}/invitations/${guest.uid}/resend` }),
  revoke: ({ path }) => ({ method: 'DELETE', path: `${path}/invitations/${guest.uid}` }),
  'revoke-email': ({ path }) => ({
    method: 'DELETE',
    path: `${path}/invitations?email=${guest.email}`,
  }),
  decline: ({ path, self }) => ({ method: 'DELETE', path: `${path}/invitations/${self}` }),
  delete: ({ path }) => ({ method: 'DELETE', path }),
  restore: ({ path }) => ({ method: 'POST', path: `${path}/restore` }),
  offer: ({ path }) => ({
    method: 'POST',
    path: `${path}/ownership`,
    body: { user_id: guest.uid },
  }),
  accept: ({ path }) => ({ method: 'POST', path: `${path}/ownership/accept` }),
  'end-offer': ({ path }) => ({ method: 'DELETE', path: `${path}/ownership` }),
  join: ({ workspace_id, self }) => ({
    method: 'POST',
    path: '/workspaces/join',
    body: { workspace_id, user_id: self },
  }),
};

test.each(cells)('%s by %s: %i', async (action, standing, status) => {
  const workspace = await world.workspace({ owner });
  const { workspace_id } = workspace;
  await makeWaysIn(workspace);
  await world.member(workspace, 'member', member);
  if (/^re(send|voke|voke-email)$/.test(action)) await inviteGuest(workspace);
  const { auth, self } = await callerOf(standing, workspace);
  const path = `/workspaces/${workspace_id}`;
  const request = actions[action]?.({ path, workspace_id, self: self ?? user.uid });
  if (!request) throw new Error(action);
  if (/offer|accept/.test(action)) await offerToGuest(workspace, action !== 'offer');
  if (action === 'restore') await world.call('DELETE', path, world.project.basic);

  const before = await world.table.query(`WS#${workspace_id}`);
  const answer = await world.call({ ...request, auth });
  const after = await world.table.query(`WS#${workspace_id}`);

  expect(answer.status).toBe(status);
  if (status < 400) return;
  // Who may not, changes nothing.
  expect(after).toEqual(before);
  const conflict = action === 'demote-owner' ? 'owner_role_fixed' : 'owner_must_stay';
  const codes = { 401: 'unauthenticated', 403: 'forbidden', 404: 'not_found', 409: conflict };
  const code = codes[status as keyof typeof codes] as ErrorCode;
  expect(answer.body.title).toBe(errors[code].title);
  expectProblem(answer, code);
});

/** Another admin than whoever asks, to whom the workspace may be offered already. */
async function offerToGuest(workspace: Awaited<ReturnType<typeof world.workspace>>, made: boolean) {
  await world.member(workspace, 'admin', guest);
  const path = `/workspaces/${workspace.workspace_id}/ownership`;
  if (made) await world.call('POST', path, owner.bearer, { user_id: guest.uid });
}

/** Without a mail: nobody is invited by mail as often in a day. */
async function inviteGuest({ workspace_id }: Workspace): Promise<void> {
  const body = { email: guest.email, role: 'member', send_mail: false };
  const path = `/workspaces/${workspace_id}/invitations`;
  const { status } = await world.call('POST', path, world.project.basic, body);
  expect(status).toBe(201);
}

/** A proven domain, a request of `user`, and a link. */
async function makeWaysIn({ workspace_id, project_id, created_at }: Workspace): Promise<void> {
  const proven_domains = { [proven]: created_at };
  await world.table.update(keys.workspace(workspace_id), { proven_domains });
  const item = { workspace_id, project_id, created_at, expires_at: 2 ** 32 };
  const { uid } = user;
  await world.table.put({ ...item, ...keys.joinRequest(workspace_id, uid), user_id: uid });
  await world.table.put({
    ...{ ...item, ...keys.joinLink(workspace_id, link_id), link_id, role: 'member' },
    ...{ use_count: 0, restrict_to_allowed_domains: false, ends_at: created_at },
  });
}

/** Makes whoever has the standing; only a person has a uid of their own. */
async function callerOf(
  standing: string,
  workspace: Awaited<ReturnType<typeof world.workspace>>,
): Promise<{ auth: string; self?: string }> {
  if (standing === 'project') return { auth: world.project.basic };
  if (standing === 'other') return { auth: foreignProject.basic };
  if (standing === 'foreign') return { auth: foreigner.bearer, self: foreigner.uid };
  if (standing === 'owner') return { auth: owner.bearer, self: owner.uid };
  if (standing === 'admin' || standing === 'member')
    await world.member(workspace, standing, person);
  if (standing === 'invited') {
    // Somebody else each time: nobody is invited as often in a day.
    const somebody = await world.user({ verified: true });
    const { bearer, uid } = await world.invited(workspace, 'admin', somebody);
    return { auth: bearer, self: uid };
  }
  return { auth: person.bearer, self: person.uid };
}

test('whoever loses a right loses it at once', async () => {
  const workspace = await world.workspace();
  const admin = await world.member(workspace, 'admin');
  const path = `/workspaces/${workspace.workspace_id}`;
  const update = () => world.call('PUT', path, admin.bearer, { name: 'Mine' });
  expect((await update()).status).toBe(200);
  await world.call('PUT', `${path}/users/${admin.uid}/role`, workspace.owner.bearer, {
    role: 'member',
  });
  expect((await update()).status).toBe(403);
});

// What each caller gets for what belongs to one user. `neighbour` is another person of the project.
const ofUser = `
  action        project self neighbour foreign other
  list-sessions 200     200  404       404     404
  end-session   200     200  404       404     404
  end-all       200     200  404       404     404
  rename        200     200  404       404     404
  agree         200     200  404       404     404
  change-email  200     403  404       404     404
  disable       200     403  404       404     404
  enable        200     403  404       404     404
  export        200     200  404       404     404
  delete        200     200  404       404     404
`;
const [[, ...callers] = [], ...rowsOfUser] = ofUser
  .trim()
  .split('\n')
  .map((row) => row.trim().split(/\s+/));
const cellsOfUser = rowsOfUser.flatMap(([action = '', ...row]) =>
  row.map((status, i) => [action, callers[i] ?? '', Number(status)] as const),
);

const actionsOnUser: Record<
  string,
  (uid: string, session_id: string) => Pick<Call, 'method' | 'path' | 'body'>
> = {
  'list-sessions': (uid) => ({ method: 'GET', path: `/sessions?user_id=${uid}` }),
  'end-session': (uid, id) => ({ method: 'DELETE', path: `/sessions/${id}?user_id=${uid}` }),
  'end-all': (uid) => ({ method: 'DELETE', path: `/sessions?user_id=${uid}` }),
  rename: change({ display_name: 'Changed' }),
  agree: change({ agreed_terms: { tos: true } }),
  'change-email': change({ email: 'changed@example.com' }),
  disable: change({ disabled: true }),
  enable: change({ disabled: false }),
  export: (uid) => ({ method: 'GET', path: `/users/${uid}/export` }),
  delete: (uid) => ({ method: 'DELETE', path: `/users/${uid}` }),
};

function change(body: object) {
  return (uid: string) => ({ method: 'PUT', path: `/users/${uid}`, body });
}

test.each(cellsOfUser)("%s of a user's by %s: %i", async (action, caller, status) => {
  const self = await world.user({ email: `self-${action}-${caller}@example.com` });
  const { uid } = self;
  const further = await world.session(uid);
  const auths: Record<string, string> = {
    project: world.project.basic,
    self: self.bearer,
    neighbour: person.bearer,
    foreign: foreigner.bearer,
    other: foreignProject.basic,
  };
  const claims = Buffer.from(further.access_token.split('.')[1] ?? '', 'base64url').toString();
  const request = actionsOnUser[action]?.(uid, JSON.parse(claims).sid);
  if (!request) throw new Error(action);

  const before = await world.table.query(`USER#${uid}`);
  const answer = await world.call({ ...request, auth: auths[caller] });
  const after = await world.table.query(`USER#${uid}`);

  expect(answer.status).toBe(status);
  if (status < 400) return;
  expect(after).toEqual(before);
  expectProblem(answer, status === 403 ? 'forbidden' : 'not_found');
});
