import { afterEach, expect, test, vi } from 'vitest';
import { cookieName, hostedProject } from '../../support/hosted-pages.ts';
import { request } from '../../support/request.ts';
import { pass, sessionIdOf, sessionKey } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { findBrowserSession } = await import('#shared/identity/sessions/browser-session.ts');
const project = await hostedProject(world);
const { project_id } = project;

afterEach(() => {
  vi.useRealTimers();
});

/** The id of the session that these cookies have, at a project's pages. */
const found = async (cookies: string[], at = project_id) =>
  (await request(({ now }) => findBrowserSession(cookies, at, now)))?.session_id;
const cookie = (token: string) => `${cookieName(project)}=${token}`;
const renew = async ({ refresh_token, access_token: accessToken }: Person) =>
  (await world.as(`Bearer ${refresh_token}`).sessions.refresh({ accessToken })).body;

test('the session of the cookie, again and again: asking renews nothing', async () => {
  const person = await world.user({ project });
  const before = await world.table.get(sessionKey(person));
  for (let i = 0; i < 3; i += 1)
    expect(await found(['a=1', cookie(person.refresh_token)])).toBe(sessionIdOf(person));
  expect(await world.table.get(sessionKey(person))).toEqual(before);
});

test('that of the token before the current one for a minute, and no session is ended for it', async () => {
  const first = await world.user({ project });
  const next = await renew(first);
  pass(59_000);
  expect(await found([cookie(first.refresh_token)])).toBe(sessionIdOf(first));
  pass(2_000);
  expect(await found([cookie(first.refresh_token)])).toBeUndefined();
  expect(await found([cookie(next.refresh_token)])).toBe(sessionIdOf(first));
});

test('none without a cookie, with two of them, or with one that we did not make', async () => {
  const { refresh_token } = await world.user({ project });
  for (const cookies of [
    [],
    [cookie(refresh_token), cookie(refresh_token)],
    [cookie(`${refresh_token}x`)],
    [cookie('')],
    [`session-other=${refresh_token}`],
  ])
    expect(await found(cookies)).toBeUndefined();
});

test('none of another project, whatever the cookie is called', async () => {
  const other = await hostedProject(world);
  const { refresh_token } = await world.user({ project: other });
  expect(await found([cookie(refresh_token)])).toBeUndefined();
  const own = [`${cookieName(other)}=${refresh_token}`];
  expect(await found(own)).toBeUndefined();
  expect(await found(own, other.project_id)).toBeDefined();
});

test.each<[string, (person: Person) => Promise<unknown>]>([
  ['has ended', (person) => world.as(person).sessions.signOut()],
  [
    'is idle for too long',
    (person) => world.table.update(sessionKey(person), { idle_expires_at: 1 }),
  ],
  ['is too old', (person) => world.table.update(sessionKey(person), { expires_at: 1 })],
  ['was revoked', (person) => world.table.update(sessionKey(person), { revoked_at: 'x' })],
  [
    'an OAuth client has',
    (person) => world.table.update(sessionKey(person), { client_id: `${project_id}.app` }),
  ],
])('none that %s', async (_, change) => {
  const person = await world.user({ project });
  await change(person);
  expect(await found([cookie(person.refresh_token)])).toBeUndefined();
});
