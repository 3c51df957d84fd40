import { describe, expect, test } from 'vitest';
import { cancelled, isTransaction } from '../faults/fault.ts';
import { expectProblem } from '../support/expectations.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { anEvent, eventsDuring, eventsOf, self } from '../support/recorded-events.ts';
import { sessionIdOf } from '../support/started.ts';
import type { Person } from '../support/world.ts';
import { counted, disturbed, times } from './many.ts';
import { sessionsOf } from './scene.ts';

const { faults, world } = await startFaultyWorld();
const end = (auth: string, path: string) => world.call('DELETE', path, auth);

describe('one of many equal concurrent requests records an event', () => {
  test('200 uses of a replaced refresh token', async () => {
    const person = await world.user();
    const next = (await world.renew(person)).body;
    await world.renew(next);
    const { answer, events } = await eventsDuring(world, person.uid, () =>
      times(200, () => world.renew(person)),
    );
    expect(counted(answer)).toEqual({ refresh_token_reused: 200 });
    const data = { session_id: sessionIdOf(person) };
    expect(events).toEqual([anEvent(self(person), 'session.reuse_detected', data)]);
    expectProblem(await world.as(`Bearer ${next.access_token}`).users.getMe(), 'unauthenticated');
    const [session, ...others] = await world.table.query(`USER#${person.uid}`, 'SESSION#');
    expect([session?.['revoked_reason'], others]).toEqual(['refresh_token_reused', []]);
  });

  test('50 sign-outs', async () => {
    const person = await world.user();
    const { answer, events } = await eventsDuring(world, person.uid, () =>
      times(50, () => end(person.bearer, '/sessions/current')),
    );
    // Requests that read after the session had ended find none.
    const { 200: out = 0, unauthenticated = 0 } = counted(answer);
    expect(out + unauthenticated).toBe(50);
    if (!disturbed()) expect(out).toBeGreaterThan(0);
    const data = { session_id: sessionIdOf(person) };
    expect(events).toEqual([anEvent(self(person), 'session.ended', data)]);
  });

  test('20 requests that end all sessions, and 20 that end one of them: each end has one event', async () => {
    const person = await world.user();
    const there = await times(5, () => world.session(person.uid));
    const before = await eventsOf(world, person.uid);
    await times(40, (i) =>
      i % 2 === 0
        ? end(person.bearer, '/sessions')
        : end(person.bearer, `/sessions/${sessionIdOf(there[0] as Person)}`),
    );
    expect(await sessionsOf(world, person.uid)).toEqual([sessionIdOf(person)]);
    const { event_count, events } = await eventsOf(world, person.uid);
    const all = anEvent(self(person), 'user.sessions_ended', { count: expect.any(Number) });
    expect(events).toEqual([all]);
    // Either all five ended together, or one ended before the other four.
    const count = events[0]?.data?.['count'];
    expect([5, 4]).toContain(count);
    expect(event_count).toBe(before.event_count + (count === 5 ? 1 : 2));
  });
});

test('a replaced refresh token is detected, and has one event, after write conflicts too', async () => {
  const person = await world.user();
  await world.renew((await world.renew(person)).body);
  faults.inject(cancelled('TransactionConflict'), {
    times: 2,
    when: isTransaction,
  });
  const { answer, events } = await eventsDuring(world, person.uid, () => world.renew(person));
  expectProblem(answer, 'refresh_token_reused');
  expect(events).toHaveLength(1);
});
