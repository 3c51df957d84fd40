import { afterEach, expect, test, vi } from 'vitest';
import type { SessionInfo } from '#shared/model/resources.ts';
import {
  aTime,
  expectInvalid,
  expectProblem,
  expectSame,
  nobody,
} from '../../support/expectations.ts';
import { goodPassword, type Started, signInProject } from '../../support/sign-in.ts';
import { sessionIdOf, sessionKey } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

type Listed = { total: number; count: number; result: SessionInfo[] };

const day = 86_400_000;
const world = await startWorld();
const { project } = world;
const list = (auth: string | undefined, user_id?: string) =>
  world.call<Listed>('GET', '/sessions', auth, undefined, {
    ...(user_id !== undefined && { query: { user_id } }),
  });
const idsOf = async (auth: string, user_id?: string) =>
  (await list(auth, user_id)).body.result.map(({ session_id }) => session_id);

afterEach(() => {
  vi.useRealTimers();
});

/** A session as the list shows it where the back end started it. */
const aSession = (of: { access_token: string }, given: Partial<SessionInfo> = {}): SessionInfo => ({
  session_id: sessionIdOf(of),
  method: 'project',
  created_at: aTime(),
  last_refreshed_at: aTime(),
  user_agent: '',
  address: '',
  current: false,
  ...given,
});

test('200 shows the live sessions, the newest first, and which of them asks', async () => {
  const first = await world.user();
  const second = await world.session(first.uid);
  const third = await world.session(first.uid);
  const { status, headers, body } = await list(second.bearer);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({
    total: 3,
    count: 3,
    result: [aSession(third), aSession(second, { current: true }), aSession(first)],
  });
});

test('200 for the back end, with none of them the current one', async () => {
  const first = await world.user();
  const second = await world.session(first.uid);
  const { status, body } = await list(project.basic, first.uid);
  expect(status).toBe(200);
  expect(body).toEqual({ total: 2, count: 2, result: [aSession(second), aSession(first)] });
});

test('200 with nothing in it for a user who never signed in', async () => {
  const made = await world.call('POST', '/users', project.basic, { email: 'never@example.com' });
  const { status, body } = await list(project.basic, made.body.uid);
  expect([status, body]).toEqual([200, { total: 0, count: 0, result: [] }]);
});

test('200 says how each was started, with what and from which network', async () => {
  const ours = await signInProject(world);
  const email = 'ways@example.com';
  const byMail = await ours.signUp(email);
  const byPassword = await world.call<Started>({
    method: 'POST',
    path: '/sessions/password',
    body: { project_id: ours.project_id, email, password: goodPassword },
    headers: { 'user-agent': `Forged\tLine ${'x'.repeat(300)}` },
  });
  const byCode = await ours.signInByCode(email);
  const byBackEnd = await world.session(byMail.uid, ours.project);
  const { body } = await list(byCode.bearer);
  const address = '127.0.0.0/24';
  expect(body.result).toEqual([
    aSession(byBackEnd),
    aSession(byCode, { method: 'email_code', user_agent: 'node', address, current: true }),
    aSession(byPassword.body, {
      method: 'idpw',
      user_agent: `Forged Line ${'x'.repeat(300)}`.slice(0, 256),
      address,
    }),
    aSession(byMail, { method: 'idpw', user_agent: 'node', address }),
  ]);
});

test('200 a refresh moves last_refreshed_at and neither the place nor the start', async () => {
  const first = await world.user();
  const second = await world.session(first.uid);
  const before = (await list(second.bearer)).body.result;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_000 });
  const { refresh_token, access_token: accessToken } = first;
  const path = '/sessions/token/refresh';
  await world.call('POST', path, `Bearer ${refresh_token}`, { accessToken });
  const after = (await list(second.bearer)).body.result;
  expect(after).toEqual([before[0], { ...before[1], last_refreshed_at: aTime() }]);
  expect(Date.parse(after[1]?.last_refreshed_at ?? '')).toBeGreaterThan(
    Date.parse(before[1]?.last_refreshed_at ?? '') + 4_999,
  );
});

test('200 without those that have ended, expired or were revoked', async () => {
  const person = await world.user();
  const session = () => world.session(person.uid);
  const now = Math.floor(Date.now() / 1_000);
  const [ended, signedOut, idle, old, revoked] = [
    await session(),
    await session(),
    await session(),
    await session(),
    await session(),
  ];
  await world.call('DELETE', `/sessions/${sessionIdOf(ended)}`, person.bearer);
  await world.call('DELETE', '/sessions/current', signedOut.bearer);
  await world.table.update(sessionKey(idle), { idle_expires_at: now });
  await world.table.update(sessionKey(old), { expires_at: now });
  await world.table.update(sessionKey(revoked), { revoked_at: new Date().toISOString() });
  expect((await list(person.bearer)).body).toEqual({
    total: 1,
    count: 1,
    result: [aSession(person, { current: true })],
  });
});

test('200 without a session whose 30 idle days have passed', async () => {
  const person = await world.user();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * day });
  const later = await world.session(person.uid);
  expect(await idsOf(later.bearer)).toEqual([sessionIdOf(later)]);
});

test('200 shows no token, no counter and no full address', async () => {
  const ours = await signInProject(world);
  const person = await ours.signUp('secrets@example.com');
  const text = JSON.stringify((await list(person.bearer)).body);
  const { access_token, refresh_token } = person;
  for (const part of [...access_token.split('.').slice(1), ...refresh_token.slice(3).split('.')])
    expect(text).not.toContain(part);
  expect(text).not.toMatch(/counter|127\.0\.0\.1"/);
});

test("200 for a person who names themself; 404 for another's, the very answer of a missing user", async () => {
  const ada = await world.user();
  const bob = await world.user();
  expect((await list(ada.bearer, ada.uid)).body).toEqual((await list(ada.bearer)).body);
  const answer = await list(ada.bearer, bob.uid);
  expectProblem(answer, 'not_found');
  expectSame(answer, await list(ada.bearer, nobody));
});

test('404 for the back end of another project: the very answer of a missing user', async () => {
  const { uid } = await world.user();
  const foreign = await world.newProject();
  const answer = await list(foreign.basic, uid);
  expectProblem(answer, 'not_found');
  expectSame(answer, await list(foreign.basic, nobody));
});

test('400 for a back end that does not say whose, and for what is no uid', async () => {
  expectInvalid(await list(project.basic), '/query/user_id');
  expectInvalid(await list(project.basic, 'ada'), '/query/user_id');
  const query = { user_id: nobody, limit: 5 };
  const answer = await world.call('GET', '/sessions', project.basic, undefined, { query });
  expectInvalid(answer, '/query/limit');
});

test('401 without a credential, and for a session that has ended', async () => {
  expectProblem(await list(undefined), 'unauthenticated');
  const person = await world.user();
  await world.call('DELETE', '/sessions/current', person.bearer);
  expectProblem(await list(person.bearer), 'unauthenticated');
});
