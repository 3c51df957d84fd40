import { beforeAll, describe, expect, test } from 'vitest';
import { newKeyText } from '#shared/access/api-key-text.ts';
import { routes } from '#shared/contract/api.ts';
import { takesKey } from '#shared/contract/key-access.ts';
import { policy } from '#shared/model/policy.ts';
import { type MadeKey, userKey, workspaceKey } from '../support/api-keys.ts';
import { expectProblem, expectSame } from '../support/expectations.ts';
import { type Person, startWorld } from '../support/world.ts';
import { routeCaller } from './calls.ts';
import { sampleOf } from './samples.ts';

/** The permissions of API keys, tested for every route. */

const world = await startWorld();
const call = routeCaller(world);
const byBearer = routes.filter(({ auth }) => auth.includes('access') || auth.includes('refresh'));
const open = (kind: 'user' | 'workspace') => routes.filter((route) => takesKey(route, kind));

let person: Person;
let place: Awaited<ReturnType<typeof world.workspace>>;
let other: Awaited<ReturnType<typeof world.workspace>>;
let member: Person;
let ofUser: MadeKey;
let limited: MadeKey;
let ofWorkspace: MadeKey;
beforeAll(async () => {
  person = await world.user({ verified: true });
  [place, other] = [await world.workspace({ owner: person }), await world.workspace()];
  member = await world.member(place);
  ofUser = await userKey(world, person);
  limited = await userKey(world, person, { permissions: ['api-key:manage'] });
  ofWorkspace = await workspaceKey(world, place, { role: 'admin' });
});

/** A request with the workspace's id, and the member's. */
function sampleIn(route: (typeof routes)[number], workspace_id = place.workspace_id) {
  const { params, query, body } = sampleOf(route);
  const ids = { workspace_id, user_id: member.uid };
  const known = Object.entries(ids).filter(([name]) => name in params);
  return { params: { ...params, ...Object.fromEntries(known) }, query, body };
}

describe.each(byBearer)('$name', (route) => {
  for (const kind of ['user', 'workspace'] as const)
    test(`a key of a ${kind}: ${takesKey(route, kind) ? 'is accepted' : '401, as an unknown key'}`, async () => {
      const { bearer } = kind === 'user' ? ofUser : ofWorkspace;
      const sample = sampleIn(route);
      const answer = await call(route, { ...sample, auth: bearer });
      if (takesKey(route, kind)) {
        expect(answer.status, JSON.stringify(answer.body)).not.toBe(401);
        return;
      }
      expectProblem(answer, 'unauthenticated');
      const owner = kind === 'user' ? person.uid : place.workspace_id;
      const unknown = newKeyText(kind, owner, ofUser.key_id);
      expectSame(answer, await call(route, { ...sample, auth: `Bearer ${unknown}` }));
    });
});

test('several spaces may stand before a key (RFC 9110)', async () => {
  const path = `/workspaces/${place.workspace_id}`;
  for (const { bearer } of [ofUser, ofWorkspace])
    expect((await world.call('GET', path, bearer.replace(' ', '   '))).status).toBe(200);
});

test('routes of sign-in, sessions, accounts and keys accept no key, nor do routes that refuse an impersonator', () => {
  const closed =
    /^(?:sessions|passwords|codes|identities|emails|apiKeys|workspaceKeys|ownership|oauth|webhooks|browserSessions)\./;
  for (const route of [...open('user'), ...open('workspace')]) {
    expect(route.name).not.toMatch(closed);
    expect(route.notByActor, route.name).toBeUndefined();
    expect(route.auth, route.name).toContain('access');
  }
  // Every name in the lists is the name of a route.
  expect([open('user').length, open('workspace').length]).toEqual([24, 21]);
  for (const { name, path } of open('workspace')) expect(path, name).toContain('{workspace_id}');
});

describe.each(open('workspace'))('$name by a key of a workspace', (route) => {
  test('another workspace is like a missing one', async () => {
    const { bearer: auth } = ofWorkspace;
    const elsewhere = await call(route, { ...sampleIn(route, other.workspace_id), auth });
    expectProblem(elsewhere, 'not_found');
    const missing = `wid-${person.uid}`;
    expectSame(elsewhere, await call(route, { ...sampleIn(route, missing), auth }));
  });
});

describe('a key of a user with one unrelated permission is refused, and writes nothing', () => {
  let before: unknown[];
  beforeAll(async () => {
    // The first use of a key is recorded.
    await world.as(limited.bearer).users.getMe();
    before = await world.table.all();
  });
  test.each(open('user'))('$name', async (route) => {
    const answer = await call(route, { ...sampleIn(route), auth: limited.bearer });
    if (route.name === 'users.getMe') expect(answer.status).toBe(200);
    else expect([403, 404]).toContain(answer.status);
  });

  test('and none of these requests has written anything', async () => {
    expect(await world.table.all()).toEqual(before);
  });
});

test('a key loses each right that its user loses, from the next request', async () => {
  const admin = await world.member(place, 'admin');
  const { bearer } = await userKey(world, admin);
  const { workspace_id } = place;
  const list = () => world.as(bearer).members.list({ workspace_id, status: 'pending' });
  expect((await list()).status).toBe(200);
  const role = { workspace_id, user_id: admin.uid, role: 'member' };
  await world.as(person).members.changeRole(role);
  expectProblem(await list(), 'forbidden');
  await world.as(person).members.remove({ workspace_id, user_id: admin.uid });
  expectProblem(await list(), 'not_found');
});

test('a key is limited to its permissions in each workspace', async () => {
  const { bearer } = await userKey(world, person, { permissions: ['member:list-accepted'] });
  const { workspace_id } = place;
  const as = world.as(bearer);
  expect((await as.members.list({ workspace_id, status: 'accepted' })).status).toBe(200);
  const refused = await as.members.list({ workspace_id, status: 'pending' });
  expectProblem(refused, 'forbidden');
  expect(refused.body.detail).toBe('The API key lacks the permission member:list-pending');
  expectProblem(await as.workspaces.list(), 'forbidden');
  const elsewhere = { workspace_id: other.workspace_id, status: 'accepted' };
  expectProblem(await as.members.list(elsewhere), 'not_found');
});

test('a key of a workspace can do what its role can, limited to its permissions', async () => {
  const { workspace_id } = place;
  const pending = { workspace_id, status: 'pending' };
  const byMember = await workspaceKey(world, place);
  expectProblem(await world.as(byMember.bearer).members.list(pending), 'forbidden');
  expect((await world.as(ofWorkspace.bearer).members.list(pending)).status).toBe(200);
  const reader = await workspaceKey(world, place, { permissions: ['workspace:read'] });
  expect((await world.as(reader.bearer).workspaces.get({ workspace_id })).status).toBe(200);
  expectProblem(await world.as(reader.bearer).members.list(pending), 'forbidden');
  expect(policy['member:list-pending'].member).toBe('forbid');
});

test('a key with the role member sees of other members what a member sees', async () => {
  const { workspace_id } = place;
  const { bearer } = await workspaceKey(world, place);
  const list = { workspace_id, status: 'accepted' };
  const shown = (await world.as(bearer).members.list(list)).body.result;
  for (const each of shown) {
    expect(each).not.toHaveProperty('last_sign_in_at');
    expect(each.sign_in_methods).toEqual({});
  }
});

test('the event names the key and its user as the actor', async () => {
  const { workspace_id } = await world.workspace({ owner: person });
  await world.as(ofUser.bearer).workspaces.update({ workspace_id, name: 'By a key' });
  await world.drainStream();
  const { body } = await world.as(person).events.listOfWorkspace({ workspace_id });
  expect(body.result.at(-1).event).toMatchObject({
    type: 'workspace.updated',
    actor: { kind: 'api_key', id: ofUser.key_id, user_id: person.uid },
  });
});

test('two keys with the same Idempotency-Key make two requests', async () => {
  const { workspace_id } = place;
  const headers = { 'idempotency-key': 'one-key-of-several-keys' };
  const rename = (auth: string) =>
    world.as(auth).workspaces.update({ workspace_id, name: 'Again' }, { headers });
  expect((await rename(person.bearer)).status).toBe(200);
  expectProblem(await rename(limited.bearer), 'forbidden');
  const answer = await rename(ofUser.bearer);
  expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null]);
  expect((await rename(ofUser.bearer)).headers.get('idempotency-replayed')).toBe('true');
});

test("429 beyond the project's limit for each key, in a verification too", async () => {
  const project = await world.newProject({ api_key_rate_limit: 3 });
  const ada = await world.user({ project });
  const [one, another] = [await userKey(world, ada), await userKey(world, ada)];
  const ask = async ({ bearer }: MadeKey) => world.as(bearer).users.getMe();
  const statuses = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await ask(one)).status);
  expect(statuses).toEqual([200, 200, 200]);
  const refused = await ask(one);
  expectProblem(refused, 'too_many_requests');
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  const known = await world.as(project).apiKeys.verify({ key: one.key });
  expect(known.body).toEqual({ valid: false, retry_after: expect.any(Number) });
  expect(known.body.retry_after).toBeLessThanOrEqual(wait);
  expect((await ask(another)).status).toBe(200);
});

test('a limited key assigns no role but member', async () => {
  const permissions = ['member:change-role', 'invitation:create', 'workspace:read'];
  const owner = await world.user({ verified: true });
  const own = await world.workspace({ owner });
  const { workspace_id } = own;
  const { uid: user_id } = await world.member(own);
  const by = world.as((await userKey(world, owner, { permissions })).bearer);
  expectProblem(await by.members.changeRole({ workspace_id, user_id, role: 'admin' }), 'forbidden');
  const invite = { workspace_id, email: 'new@example.com' };
  expectProblem(await by.invitations.create({ ...invite, role: 'admin' }), 'forbidden');
  expect((await by.invitations.create({ ...invite, role: 'member' })).status).toBe(201);
  const whole = world.as((await userKey(world, owner)).bearer);
  expect((await whole.members.changeRole({ workspace_id, user_id, role: 'admin' })).status).toBe(
    200,
  );
});
