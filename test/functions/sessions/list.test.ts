import { expect, test, vi } from 'vitest';
import type { SessionInfo } from '#shared/model/user-resources.ts';
import { aTime } from '../../support/expectations.ts';
import { goodPassword, type Started, signInProject } from '../../support/sign-in.ts';
import { sessionIdOf, sessionKey } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const list = (caller: Person | typeof project, user_id?: string) =>
  world.as(caller).sessions.list({ user_id });

/** A session in the list that a backend started. */
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

test('200 lists live sessions, newest first, and marks the current one, if there is one', async () => {
  const first = await world.user();
  const second = await world.session(first.uid);
  const third = await world.session(first.uid);
  const { status, body } = await list(second);
  expect([status, body]).toEqual([
    200,
    {
      total: 3,
      count: 3,
      result: [aSession(third), aSession(second, { current: true }), aSession(first)],
    },
  ]);
  // The same if they pass their own id.
  expect((await list(second, first.uid)).body).toEqual(body);
  const forBackend = await list(project, first.uid);
  expect(forBackend.body.result).toEqual([aSession(third), aSession(second), aSession(first)]);
});

test('200 with an empty list for a user who never signed in', async () => {
  const made = await world.as(project).users.create({ email: 'never@example.com' });
  const { status, body } = await list(project, made.body.uid);
  expect([status, body]).toEqual([200, { total: 0, count: 0, result: [] }]);
});

test('200 shows method, user agent and network of each sign-in', async () => {
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
  const byBackend = await world.session(byMail.uid, ours.project);
  const { body } = await list(byCode);
  const address = '127.0.0.0/24';
  expect(body.result).toEqual([
    aSession(byBackend),
    aSession(byCode, { method: 'email_code', user_agent: 'node', address, current: true }),
    aSession(byPassword.body, {
      method: 'idpw',
      user_agent: `Forged Line ${'x'.repeat(300)}`.slice(0, 256),
      address,
    }),
    aSession(byMail, { method: 'idpw', user_agent: 'node', address }),
  ]);
});

test('200 a refresh changes last_refreshed_at, and neither the order nor created_at', async () => {
  const first = await world.user();
  const second = await world.session(first.uid);
  const before = (await list(second)).body.result;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_000 });
  await world.renew(first);
  const after = (await list(second)).body.result;
  expect(after).toEqual([before[0], { ...before[1], last_refreshed_at: aTime() }]);
  expect(Date.parse(after[1]?.last_refreshed_at ?? '')).toBeGreaterThan(
    Date.parse(before[1]?.last_refreshed_at ?? '') + 4_999,
  );
});

test('200 omits ended, expired and revoked sessions', async () => {
  const person = await world.user();
  const session = () => world.session(person.uid);
  const now = Math.floor(Date.now() / 1_000);
  await world.as(person).sessions.end({ session_id: sessionIdOf(await session()) });
  await world.as(await session()).sessions.signOut();
  for (const over of [
    { idle_expires_at: now },
    { expires_at: now },
    { revoked_at: new Date().toISOString() },
  ])
    await world.table.update(sessionKey(await session()), over);
  expect((await list(person)).body).toEqual({
    total: 1,
    count: 1,
    result: [aSession(person, { current: true })],
  });
});

test('200 shows no token, no counter and no full address', async () => {
  const ours = await signInProject(world);
  const person = await ours.signUp('secrets@example.com');
  const text = JSON.stringify((await list(person)).body);
  const { access_token, refresh_token } = person;
  for (const part of [...access_token.split('.').slice(1), ...refresh_token.slice(3).split('.')])
    expect(text).not.toContain(part);
  expect(text).not.toMatch(/counter|127\.0\.0\.1"/);
});
