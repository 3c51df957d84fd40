import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { eventsOf } from '../support/recorded-events.ts';
import { sessionIdOf } from '../support/started.ts';
import { type Person, startWorld } from '../support/world.ts';
import { counted, disturbed, times } from './many.ts';
import { expectDead, sessionsOf, successes } from './scene.ts';

// No local engine raises TransactionConflict: here concurrent writes fail only by their conditions.
const world = await startWorld();
const refresh = async (refresh_token: string, accessToken: string) => {
  const response = await fetch(`${world.url}/sessions/token/refresh`, {
    method: 'POST',
    headers: { authorization: `Bearer ${refresh_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ accessToken }),
  });
  return { status: response.status, text: await response.text() };
};
const present = (count: number, { refresh_token, access_token }: Person) =>
  times(count, () => refresh(refresh_token, access_token));

type Tokens = Pick<Person, 'access_token' | 'refresh_token'>;
type Renewed = { status: number; body: Tokens };
const renew = async ({ refresh_token, access_token }: Tokens): Promise<Renewed> => {
  const { status, text } = await refresh(refresh_token, access_token);
  return { status, body: JSON.parse(text) as Tokens };
};
/** The distinct responses: concurrent uses of one token get the same one. */
const distinct = (answers: Renewed[]): Renewed[] => [
  ...new Map(answers.map((answer) => [answer.body.refresh_token, answer])).values(),
];

test('200 concurrent uses of one refresh token get one successor, byte for byte', async () => {
  const person = await world.user();
  const answers = await present(200, person);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const [{ text } = { text: '' }] = answers;
  const next = JSON.parse(text) as { refresh_token: string; access_token: string };
  expect(next.refresh_token).not.toBe(person.refresh_token);
  // The session continues: the successor is valid, and so is the next one.
  const after = await refresh(next.refresh_token, next.access_token);
  expect(after.status).toBe(200);
});

test('60 sessions started concurrently leave 50 valid sessions', async () => {
  const { uid } = await world.user();
  const started = await times(60, () => world.session(uid));
  expect(new Set(started.map(({ refresh_token }) => refresh_token)).size).toBe(60);
  const stored = await world.table.query(`USER#${uid}`, 'SESSION#');
  const left = new Set(stored.map(({ session_id }) => session_id));
  expect(left.size).toBe(50);
  // The oldest have ended.
  const [oldest = ''] = stored.map(({ created_at }) => String(created_at)).toSorted();
  const ended = started.filter((one) => !left.has(sessionIdOf(one)));
  for (const { user } of ended) expect(String(user.last_sign_in_at) <= oldest).toBe(true);
  // The user was created with a session: each start and each end has one event.
  expect((await eventsOf(world, uid)).event_count).toBe(1 + 61 + 11);
  for (const one of started) {
    const { status } = await world.call('GET', '/users/me', one.bearer);
    expect(status).toBe(left.has(sessionIdOf(one)) ? 200 : 401);
  }
});

describe('after a completed sign-out', () => {
  const signOut = ({ bearer }: Person) => world.call('DELETE', '/sessions/current', bearer);

  test('no tokens of 50 concurrent refreshes are valid', async () => {
    for (let round = 0; round < 4; round += 1) {
      const person = await world.user();
      const [[out], refreshed] = await Promise.all([
        times(1, () => signOut(person)),
        times(50, () => renew(person)),
      ]);
      expect(out?.status).toBe(200);
      for (const { status } of refreshed) expect([200, 401]).toContain(status);
      await expectDead(world, [{ body: person }, ...distinct(successes(refreshed))]);
      expect(await sessionsOf(world, person.uid)).toEqual([]);
    }
  });

  test('no tokens of a client that refreshes continuously are valid', async () => {
    for (let round = 0; round < 4; round += 1) {
      const person = await world.user();
      const brought: Renewed[] = [];
      const chain = async () => {
        for (let at: Renewed | undefined = { status: 200, body: person }; at; ) {
          const next: Renewed = await renew(at.body);
          at = next.status === 200 ? next : undefined;
          if (at) brought.push(at);
        }
      };
      const going = chain();
      while (brought.length < 3 + round) await sleep(1);
      expect((await signOut(person)).status).toBe(200);
      await going;
      await expectDead(world, brought.slice(-2));
      expect(await sessionsOf(world, person.uid)).toEqual([]);
    }
  });
});

describe('sessions that start while all are ended', () => {
  const endAll = (uid: string) =>
    world.call('DELETE', `/sessions?user_id=${uid}`, world.project.basic);

  test('all earlier sessions end', async () => {
    const { uid } = await world.user();
    const before = await times(10, () => world.session(uid));
    const [[ended], after] = await Promise.all([
      times(1, () => endAll(uid)),
      times(30, () => world.session(uid)),
    ]);
    expect(ended?.status).toBe(200);
    await expectDead(
      world,
      before.map((body) => ({ body })),
    );
    // Each session started meanwhile was ended too, or started later.
    const left = await sessionsOf(world, uid);
    expect(after.map(sessionIdOf)).toEqual(expect.arrayContaining(left));
    // The user was created with a session.
    if (!disturbed()) expect(ended?.body.ended + left.length).toBe(1 + 10 + 30);
    expect((await endAll(uid)).body).toEqual({ ended: left.length });
    expect(await sessionsOf(world, uid)).toEqual([]);
  });

  test('a user who ends all other sessions keeps their own', async () => {
    const person = await world.user();
    await times(5, () => world.session(person.uid));
    const answers = await times(10, () => world.call('DELETE', '/sessions', person.bearer));
    expect(counted(answers)).toEqual({ 200: 10 });
    expect(await sessionsOf(world, person.uid)).toEqual([sessionIdOf(person)]);
  });
});
