import { describe, expect, test } from 'vitest';
import { limits } from '#shared/model/limits.ts';
import { anEvent, backend, eventsDuring, eventsOf, self } from '../support/recorded-events.ts';
import { sessionIdOf } from '../support/started.ts';
import { type Person, startWorld } from '../support/world.ts';

const world = await startWorld();
const { project } = world;
const key = await backend(world, project);
const started = (tokens: Person) =>
  anEvent(key, 'session.started', { session_id: sessionIdOf(tokens), method: 'project' });
const ended = { type: 'session.ended' } as const;
const end = (auth: string, path: string, query: Record<string, string> = {}) =>
  world.call('DELETE', path, auth, undefined, { query });

test('a new session records an event', async () => {
  const { uid } = await world.user();
  const { answer, events } = await eventsDuring(world, uid, () => world.session(uid));
  expect(events).toEqual([started(answer)]);
});

test('a new session beyond 50 records events of its start and of the end of the oldest', async () => {
  const first = await world.user();
  const { uid } = first;
  for (let i = 1; i < limits.sessionsPerUser; i += 1) await world.session(uid);
  const { event_count } = await eventsOf(world, uid);
  await world.session(uid);
  expect(await eventsOf(world, uid)).toEqual({
    events: [anEvent(key, ended.type, { session_id: sessionIdOf(first) })],
    event_count: event_count + 2,
  });
});

describe('the end of a session records one event, with the caller as the actor', () => {
  test.each([
    ['the user', ({ bearer }: Person) => ({ auth: bearer, query: {} })],
    ['the backend', ({ uid }: Person) => ({ auth: project.basic, query: { user_id: uid } })],
  ] as const)('%s', async (by, credential) => {
    const here = await world.user();
    const there = await world.session(here.uid);
    const session_id = sessionIdOf(there);
    const { auth, query } = credential(here);
    const ending = () => end(auth, `/sessions/${session_id}`, query);
    const { answer, events } = await eventsDuring(world, here.uid, ending);
    expect(answer.status).toBe(200);
    const actor = by === 'the user' ? self(here) : key;
    expect(events).toEqual([anEvent(actor, ended.type, { session_id })]);
    const again = await eventsDuring(world, here.uid, ending);
    expect([again.answer.status, again.events]).toEqual([404, []]);
  });
});

describe('the end of several sessions records the number of ended sessions', () => {
  test('all, by the backend', async () => {
    const { uid } = await world.user();
    await world.session(uid);
    const endAll = () => end(project.basic, '/sessions', { user_id: uid });
    const { events } = await eventsDuring(world, uid, endAll);
    expect(events).toEqual([anEvent(key, 'user.sessions_ended', { count: 2 })]);
    expect((await eventsDuring(world, uid, endAll)).events).toEqual([]);
  });
});

test('a refresh and its retry record no event', async () => {
  const person = await world.user();
  const { uid } = person;
  const { events } = await eventsDuring(world, uid, async () => {
    const next = (await world.renew(person)).body;
    expect((await world.renew(person)).status).toBe(200);
    await world.renew(next);
  });
  expect(events).toEqual([]);
});
