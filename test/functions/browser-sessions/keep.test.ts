import { describe, expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import {
  cookieName,
  cookiesSet,
  fromOwnPage,
  hostedProject,
  withCookie,
} from '../../support/hosted-pages.ts';
import { pass, sessionIdOf, sessionKey } from '../../support/started.ts';
import { type Person, startWorld, type TestProject } from '../../support/world.ts';

const second = 1_000;
const day = 86_400;
const world = await startWorld();
const project = await hostedProject(world);
const visitor = () => world.user({ project });

const keep = (token: string, at: TestProject = project, headers = fromOwnPage) =>
  world.as(`Bearer ${token}`).browserSessions.keep({ project_id: at.project_id }, { headers });

test('200 puts the refresh token into an HttpOnly cookie that lasts as long as the session', async () => {
  const { refresh_token } = await visitor();
  const answer = await keep(refresh_token);
  expect([answer.status, answer.body]).toEqual([200, { expires_in: expect.any(Number) }]);
  expect(90 * day - answer.body.expires_in).toBeOneOf([0, 1, 2]);
  expect(cookiesSet(answer)).toEqual({
    [cookieName(project)]: {
      value: refresh_token,
      attributes: ['Path=/', `Max-Age=${answer.body.expires_in}`, 'HttpOnly', 'SameSite=Lax'],
    },
  });
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('200 with less time for an older session, because a refresh does not extend it', async () => {
  const first = await visitor();
  pass(20 * day * second);
  const { body } = await world.renew(first);
  const { body: kept } = await keep(body.refresh_token);
  expect(70 * day - kept.expires_in).toBeOneOf([-1, 0, 1, 2]);
});

test('200 for the previous token sets the current one, for a minute', async () => {
  const first = await visitor();
  const { body } = await world.renew(first);
  pass(59 * second);
  const answer = await keep(first.refresh_token);
  expect(cookiesSet(answer)[cookieName(project)]?.value).toBe(body.refresh_token);
  pass(2 * second);
  const late = await keep(first.refresh_token);
  expectProblem(late, 'unauthenticated');
  expect(cookiesSet(late)).toEqual({});
});

test.each<[string, (person: Person) => Promise<unknown>]>([
  ['has ended', (person) => world.as(person).sessions.signOut()],
  [
    'is idle for too long',
    (person) => world.table.update(sessionKey(person), { idle_expires_at: 1 }),
  ],
  ['is too old', (person) => world.table.update(sessionKey(person), { expires_at: 1 })],
  [
    'was revoked',
    (person) => world.table.update(sessionKey(person), { revoked_at: new Date().toISOString() }),
  ],
  [
    'an OAuth client has',
    (person) => world.table.update(sessionKey(person), { client_id: `${project.project_id}.app` }),
  ],
])('401 for a session that %s, and sets no cookie', async (_, change) => {
  const person = await visitor();
  await change(person);
  const answer = await keep(person.refresh_token);
  expectProblem(answer, 'unauthenticated');
  expect(cookiesSet(answer)).toEqual({});
});

test('401 for a session of another project with hosted pages', async () => {
  const other = await hostedProject(world);
  const { refresh_token } = await world.user({ project: other });
  const answer = await keep(refresh_token);
  expectProblem(answer, 'unauthenticated');
  expect(cookiesSet(answer)).toEqual({});
  expect((await keep(refresh_token, other)).status).toBe(200);
});

test('404 in a project without hosted pages, as in one that does not exist', async () => {
  const { refresh_token } = await world.user();
  expectProblem(await keep(refresh_token, world.project), 'not_found');
  expectProblem(await keep(refresh_token, { ...project, project_id: 'nobody' }), 'not_found');
});

test('ignores an Idempotency-Key, because a stored response would bring back an old cookie', async () => {
  const first = await visitor();
  const headers = { ...fromOwnPage, 'idempotency-key': 'one-key-of-this-one-test' };
  expect((await keep(first.refresh_token, project, headers)).status).toBe(200);
  const { body } = await world.renew(first);
  const again = await keep(first.refresh_token, project, headers);
  expect(again.headers.get('idempotency-replayed')).toBeNull();
  expect(cookiesSet(again)[cookieName(project)]?.value).toBe(body.refresh_token);
});

describe('the session of the previous cookie', () => {
  const over = (before: string, { refresh_token }: Person) =>
    keep(refresh_token, project, { ...fromOwnPage, ...withCookie(project, before) });
  const isLive = async (person: Person) => (await world.as(person).users.getMe()).status === 200;
  const endingsOf = async ({ access_token }: Person) => {
    await world.drainStream();
    const data = expect.objectContaining({ session_id: sessionIdOf({ access_token }) });
    const wanted = expect.objectContaining({ type: 'session.ended', data });
    return world.events().filter((event) => wanted.asymmetricMatch(event));
  };

  test.each([
    ['of the same user', (before: Person) => world.session(before.uid, project)],
    ['of another user', () => visitor()],
  ])('ends when one %s replaces it, and one event records that', async (_, make) => {
    const before = await visitor();
    const after = { ...before, ...(await make(before)) };
    // The response is lost, and the page repeats the request: with the cookie that it still has, then with the new one.
    for (const cookie of [before.refresh_token, before.refresh_token, after.refresh_token]) {
      const answer = await over(cookie, after);
      expect(answer.status).toBe(200);
      expect(cookiesSet(answer)[cookieName(project)]?.value).toBe(after.refresh_token);
      expect([await isLive(before), await isLive(after)]).toEqual([false, true]);
    }
    const actor = { kind: 'user', id: before.uid };
    expect(await endingsOf(before)).toEqual([expect.objectContaining({ actor })]);
    expect(await endingsOf(after)).toEqual([]);
  });

  test('ends even if the token in the cookie is outdated', async () => {
    const [before, after] = [await visitor(), await visitor()];
    await world.renew(before);
    pass(61 * second);
    expect((await over(before.refresh_token, after)).status).toBe(200);
    expect(await isLive(before)).toBe(false);
  });

  test('stays if the new session is refused', async () => {
    const [before, after] = [await visitor(), await visitor()];
    await world.as(after).sessions.signOut();
    expectProblem(await over(before.refresh_token, after), 'unauthenticated');
    expect(await isLive(before)).toBe(true);
  });

  test('stays if the cookie proves no session: a forged token, another project, an OAuth client', async () => {
    const after = await visitor();
    const elsewhere = await world.user({ project: await hostedProject(world) });
    const ofClient = await visitor();
    const client_id = `${project.project_id}.app`;
    await world.table.update(sessionKey(ofClient), { client_id });
    const forged = `${(await visitor()).refresh_token.slice(0, -1)}_`;
    for (const cookie of [forged, elsewhere.refresh_token, ofClient.refresh_token, 'x'])
      expect((await over(cookie, after)).status).toBe(200);
    for (const person of [elsewhere, ofClient, after]) expect(await isLive(person)).toBe(true);
  });
});
