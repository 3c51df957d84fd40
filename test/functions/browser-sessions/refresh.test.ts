import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import {
  cookieName,
  cookiesSet,
  fromOwnPage,
  hostedProject,
  withCookie,
} from '../../support/hosted-pages.ts';
import { pass, sessionKey } from '../../support/started.ts';
import { type Person, startWorld, type TestProject } from '../../support/world.ts';

const second = 1_000;
const day = 86_400 * second;
const world = await startWorld();
const project = await hostedProject(world);
const name = cookieName(project);
const visitor = () => world.user({ project });

const refresh = (
  token: string,
  {
    at = project,
    headers = withCookie(at, token),
    more = {},
  }: {
    at?: TestProject;
    headers?: Record<string, string>;
    more?: Record<string, string>;
  } = {},
) =>
  world
    .as()
    .browserSessions.refresh({ project_id: at.project_id }, { headers: { ...headers, ...more } });
/** The refresh token that a response sets in the cookie. */
const next = (answer: { headers: Headers }) => cookiesSet(answer)[name]?.value ?? '';
const removed = {
  [name]: { value: '', attributes: expect.arrayContaining(['Path=/', 'Max-Age=0']) },
};
const getMe = (access_token: string) => world.as(`Bearer ${access_token}`).users.getMe();

test('200 returns an access token, and the next refresh token only in the cookie', async () => {
  const person = await visitor();
  const answer = await refresh(person.refresh_token);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    expires_in: 600,
    uid: person.uid,
    user: person.user,
  });
  const { value, attributes } = cookiesSet(answer)[name]!;
  expect(value).toMatch(/^rt_/);
  expect(value).not.toBe(person.refresh_token);
  expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'SameSite=Lax']));
  expect(JSON.stringify(answer.body)).not.toContain('"rt_');
  expect((await getMe(answer.body.access_token)).body).toEqual(person.user);
  expect((await refresh(value)).status).toBe(200);
});

test('200 the cookie expires with the session, which no refresh extends', async () => {
  const { refresh_token } = await visitor();
  pass(20 * day);
  const { attributes = [] } = cookiesSet(await refresh(refresh_token))[name] ?? {};
  const [, maxAge] = /^Max-Age=(\d+)$/.exec(attributes[1] ?? '') ?? [];
  expect((70 * day) / second - Number(maxAge)).toBeOneOf([-1, 0, 1, 2]);
});

test('200 with the algorithm that the project has chosen', async () => {
  const at = await hostedProject(world, { token_algorithm: 'ES256' });
  const { refresh_token } = await world.user({ project: at });
  const { body } = await refresh(refresh_token, { at });
  const [head = ''] = body.access_token.split('.');
  expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toMatchObject({ alg: 'ES256' });
  expect((await getMe(body.access_token)).status).toBe(200);
});

test('200 with the same successor for a minute, so that a lost response or a second tab signs nobody out', async () => {
  const { refresh_token } = await visitor();
  const first = await refresh(refresh_token);
  pass(59 * second);
  const [again, otherTab] = await Promise.all([refresh(refresh_token), refresh(refresh_token)]);
  for (const answer of [again, otherTab]) {
    expect([answer.status, next(answer)]).toEqual([200, next(first)]);
    expect(answer.body.access_token).toBe(first.body.access_token);
    // The remaining lifetime of the token.
    expect(answer.body.expires_in).toBeOneOf([540, 541, 542]);
  }
  expect((await refresh(next(first))).status).toBe(200);
});

test('401 refresh_token_reused a minute later ends the session and removes the cookie', async () => {
  const { refresh_token } = await visitor();
  const first = await refresh(refresh_token);
  pass(61 * second);
  const answer = await refresh(refresh_token);
  expectProblem(answer, 'refresh_token_reused');
  expect(cookiesSet(answer)).toEqual(removed);
  expectProblem(await refresh(next(first)), 'refresh_token_reused');
  expectProblem(await getMe(first.body.access_token), 'unauthenticated');
});

test.each<[string, string, (person: Person) => Promise<unknown>]>([
  ['ended', 'unauthenticated', (person) => world.as(person).sessions.signOut()],
  ['gone', 'unauthenticated', (person) => world.table.delete(sessionKey(person))],
  [
    'idle for too long',
    'token_expired',
    (person) => world.table.update(sessionKey(person), { idle_expires_at: 1 }),
  ],
  [
    'too old',
    'token_expired',
    (person) => world.table.update(sessionKey(person), { expires_at: 1 }),
  ],
  [
    'of a disabled user',
    'unauthenticated',
    ({ uid }) => world.as(project).users.update({ uid, disabled: true }),
  ],
])('401 for a session that is %s removes the cookie: %s', async (_, code, change) => {
  const person = await visitor();
  await change(person);
  const answer = await refresh(person.refresh_token);
  expect([answer.status, answer.body.code]).toEqual([401, code]);
  expect(cookiesSet(answer)).toEqual(removed);
});

test('401 removes a cookie that is no refresh token of this service', async () => {
  const { refresh_token, access_token } = await visitor();
  const cut = refresh_token.replace(/.$/, '');
  for (const token of ['x', `${refresh_token}x`, cut, access_token]) {
    const answer = await refresh(token);
    expectProblem(answer, 'unauthenticated');
    expect(cookiesSet(answer)).toEqual(removed);
  }
  expect((await refresh(refresh_token)).status).toBe(200);
});

test('a session of an OAuth client is neither renewed nor ended by a cookie', async () => {
  const person = await visitor();
  const key = sessionKey(person);
  await world.table.update(key, { client_id: `${project.project_id}.app`, counter: 5 });
  const before = await world.table.get(key);
  const answer = await refresh(person.refresh_token);
  expectProblem(answer, 'unauthenticated');
  expect(cookiesSet(answer)).toEqual(removed);
  expect(await world.table.get(key)).toEqual(before);
});

test('429 for a page that refreshes in a loop keeps the cookie', async () => {
  const person = await visitor();
  // The clock stands still: every ten seconds would allow another refresh.
  pass(0);
  // The state after sixty refreshes: the token of the 60th is the current one.
  let token = person.refresh_token;
  for (let i = 0; i < 60; i += 1) token = next(await refresh(token));
  const answer = await refresh(token);
  expectProblem(answer, 'too_many_requests');
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(cookiesSet(answer)).toEqual({});
});

test('401 without the cookie of this project changes no cookie', async () => {
  const other = await hostedProject(world);
  const { refresh_token } = await visitor();
  for (const headers of [
    fromOwnPage,
    withCookie(other, refresh_token),
    { ...fromOwnPage, cookie: `${name}=` },
  ]) {
    const answer = await refresh(refresh_token, { headers });
    expectProblem(answer, 'unauthenticated');
    expect(cookiesSet(answer)).toEqual({});
  }
  // The project in the path selects the cookie, whose session must belong to it.
  const answer = await refresh(refresh_token, { at: other });
  expectProblem(answer, 'unauthenticated');
  expect(Object.keys(cookiesSet(answer))).toEqual([cookieName(other)]);
  expect((await refresh(refresh_token)).status).toBe(200);
});

test('404 in a project without hosted pages', async () => {
  const { refresh_token } = await world.user();
  expectProblem(await refresh(refresh_token, { at: world.project }), 'not_found');
});

test('a replayed response sets its cookie again, even after the minute in which the old token works', async () => {
  const { refresh_token } = await visitor();
  const more = { 'idempotency-key': randomUUID() };
  const first = await refresh(refresh_token, { more });
  pass(3_600 * second);
  const again = await refresh(refresh_token, { more });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(again.headers.getSetCookie()).toEqual(first.headers.getSetCookie());
  // The session continues with the stored response's token.
  expect((await refresh(next(again))).status).toBe(200);
});

test('an Idempotency-Key belongs to one cookie: with the next cookie it replays nothing', async () => {
  const { refresh_token } = await visitor();
  const more = { 'idempotency-key': randomUUID() };
  const first = await refresh(refresh_token, { more });
  const other = await refresh(next(first), { more });
  expect(other.headers.get('idempotency-replayed')).toBeNull();
  expect(next(other)).not.toBe(next(first));
});
