import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { cookieName, cookiesSet, fromOwnPage, hostedProject } from '../../support/hosted-pages.ts';
import { pass, sessionKey } from '../../support/started.ts';
import { type Person, type TestProject, startWorld } from '../../support/world.ts';
import { afterEach, vi } from 'vitest';

const second = 1_000;
const day = 86_400;
const world = await startWorld();
const project = await hostedProject(world);
const visitor = () => world.user({ project });

afterEach(() => {
  vi.useRealTimers();
});

const keep = (token: string, at: TestProject = project, headers = fromOwnPage) =>
  world.as(`Bearer ${token}`).browserSessions.keep({ project_id: at.project_id }, { headers });
const renew = ({
  refresh_token,
  access_token: accessToken,
}: Pick<Person, 'refresh_token' | 'access_token'>) =>
  world.as(`Bearer ${refresh_token}`).sessions.refresh({ accessToken });

test('200 puts the refresh token into a cookie that no script reads, until the end of the session', async () => {
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

test('200 with less time for an older session: a refresh does not move its end', async () => {
  const first = await visitor();
  pass(20 * day * second);
  const { body } = await renew(first);
  const { body: kept } = await keep(body.refresh_token);
  expect(70 * day - kept.expires_in).toBeOneOf([-1, 0, 1, 2]);
});

test('200 for the token before the current one sets the current one, for a minute', async () => {
  const first = await visitor();
  const { body } = await renew(first);
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
])('401 for a session that %s, and no cookie', async (_, change) => {
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

test('it takes no Idempotency-Key: a stored answer would bring back the cookie of that time', async () => {
  const first = await visitor();
  const headers = { ...fromOwnPage, 'idempotency-key': 'one-key-of-this-one-test' };
  expect((await keep(first.refresh_token, project, headers)).status).toBe(200);
  const { body } = await renew(first);
  const again = await keep(first.refresh_token, project, headers);
  expect(again.headers.get('idempotency-replayed')).toBeNull();
  expect(cookiesSet(again)[cookieName(project)]?.value).toBe(body.refresh_token);
});
