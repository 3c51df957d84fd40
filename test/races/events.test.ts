import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { keys } from '#shared/db/schema.ts';
import { type Call, cancelled, exception, type Fault, lostAnswers } from '../faults/fault.ts';
import type { Answer } from '../support/call.ts';
import { expectProblem, nobody } from '../support/expectations.ts';
import { startFaultyEngine } from '../support/faults.ts';
import { aFact, backEnd, self, toldBy, toldWhile } from '../support/recorded-events.ts';
import { sessionIdOf } from '../support/started.ts';
import { type Person, startWorld } from '../support/world.ts';
import { counted, disturbed, times } from './many.ts';
import { sessionsOf } from './scene.ts';

const faults = await startFaultyEngine();
const world = await startWorld({ endpoint: faults.url });
afterAll(() => faults.close());
beforeEach(() => faults.reset());
const { basic } = world.project;
const key = await backEnd(world, world.project);
const end = (auth: string, path: string) => world.call('DELETE', path, auth);
const refresh = ({ refresh_token, access_token: accessToken }: Person) =>
  world.call('POST', '/sessions/token/refresh', `Bearer ${refresh_token}`, { accessToken });

describe('of many at once who do the same, one tells', () => {
  test('200 who present a token from before', async () => {
    const person = await world.user();
    const next = (await refresh(person)).body;
    await refresh(next);
    const { answer, told } = await toldWhile(world, person.uid, () =>
      times(200, () => refresh(person)),
    );
    expect(counted(answer)).toEqual({ refresh_token_reused: 200 });
    const data = { session_id: sessionIdOf(person) };
    expect(told).toEqual([aFact(self(person), 'session.reuse_detected', data)]);
  });

  test('50 sign-outs', async () => {
    const person = await world.user();
    const { answer, told } = await toldWhile(world, person.uid, () =>
      times(50, () => end(person.bearer, '/sessions/current')),
    );
    // Those that were read after the session had ended find none.
    const { 200: out = 0, unauthenticated = 0 } = counted(answer);
    expect(out + unauthenticated).toBe(50);
    if (!disturbed()) expect(out).toBeGreaterThan(0);
    const data = { session_id: sessionIdOf(person) };
    expect(told).toEqual([aFact(self(person), 'session.ended', data)]);
  });

  test('20 who end all, and 20 who end one of them: each end is told once', async () => {
    const person = await world.user();
    const there = await times(5, () => world.session(person.uid));
    const before = await toldBy(world, person.uid);
    await times(40, (i) =>
      i % 2 === 0
        ? end(person.bearer, '/sessions')
        : end(person.bearer, `/sessions/${sessionIdOf(there[0] as Person)}`),
    );
    expect(await sessionsOf(world, person.uid)).toEqual([sessionIdOf(person)]);
    const { event_count, events } = await toldBy(world, person.uid);
    const all = aFact(self(person), 'user.sessions_ended', { count: expect.any(Number) });
    expect(events).toEqual([all]);
    // Either all five went together, or one went before the other four.
    const count = events[0]?.data?.['count'];
    expect([5, 4]).toContain(count);
    expect(event_count).toBe(before.event_count + (count === 5 ? 1 : 2));
  });

  test('50 who make the user of one e-mail', async () => {
    const body = { email: 'one@example.com', email_verified: true };
    const made = await times(50, () => world.call('POST', '/users', basic, body));
    const uids = new Set(made.map(({ body: { uid } }) => uid));
    expect(uids.size).toBe(1);
    const [uid] = [...uids];
    const events = [aFact(key, 'user.created')];
    expect(await toldBy(world, uid)).toEqual({ events, event_count: 1 });
  });
});

const disturbances = ['reset after it was done', 'half an answer', 'a 500 after it was done'];
const writes = new Set(['TransactWriteItems', 'PutItem', 'UpdateItem']);
const when = ({ operation }: Call) => writes.has(operation);

const conflict: Fault = (exchange) =>
  exchange.operation === 'TransactWriteItems'
    ? cancelled('TransactionConflict')(exchange)
    : exception('TransactionConflictException')(exchange);

/** What is done, and how many facts of the user that it is done to it tells. */
const requests: Record<string, [told: number, request: (person: Person) => Promise<Answer>]> = {
  'sessions.create': [1, ({ uid }) => world.call('POST', '/sessions', basic, { uid })],
  'sessions.end': [1, (person) => end(person.bearer, `/sessions/${sessionIdOf(person)}`)],
  'sessions.endAll': [1, ({ uid }) => end(basic, `/sessions?user_id=${uid}`)],
  'sessions.signOut': [1, ({ bearer }) => end(bearer, '/sessions/current')],
  'sessions.refresh': [0, refresh],
  'users.create, which verifies': [
    2,
    ({ email }) => world.call('POST', '/users', basic, { email, email_verified: true }),
  ],
  'users.update': [
    1,
    ({ uid }) => world.call('PUT', `/users/${uid}`, basic, { display_name: 'Ada' }),
  ],
  'users.update, another e-mail': [
    1,
    ({ uid, email }) => world.call('PUT', `/users/${uid}`, basic, { email: `n.${email}` }),
  ],
};

describe.each(Object.entries(requests))('%s', (_, [count, request]) => {
  test('tells once although its answer is lost, again and again', async () => {
    const person = await world.user();
    // One that a person has started goes when the e-mail is proven.
    const [session] = await world.table.query(keys.user(person.uid).pk, 'SESSION#');
    await world.table.put({ ...session, method: 'idpw' });
    for (const fault of disturbances) faults.inject(lostAnswers[fault] as Fault, { when });
    const { answer, told } = await toldWhile(world, person.uid, () => request(person));
    expect(answer.status).toBeLessThan(300);
    expect(told).toHaveLength(count);
  });

  test('tells once through conflicts that pass, and nothing where they last', async () => {
    const person = await world.user();
    faults.inject(conflict, { times: Infinity, when });
    const lasting = await toldWhile(world, person.uid, () => request(person));
    expectProblem(lasting.answer, 'temporarily_unavailable');
    expect(lasting.told).toEqual([]);
    faults.reset();
    faults.inject(conflict, { times: 2, when });
    const passing = await toldWhile(world, person.uid, () => request(person));
    expect(passing.answer.status).toBeLessThan(300);
    // A session that the back end has started stays when the e-mail is proven.
    expect(passing.told).toHaveLength(Math.min(count, 1));
  });
});

test('a token from before is one, and told once, through conflicts too', async () => {
  const person = await world.user();
  await refresh((await refresh(person)).body);
  faults.inject(conflict, {
    times: 2,
    when: ({ operation }) => operation === 'TransactWriteItems',
  });
  const { answer, told } = await toldWhile(world, person.uid, () => refresh(person));
  expectProblem(answer, 'refresh_token_reused');
  expect(told).toHaveLength(1);
});

test.each([
  ['users.create', 'POST', '/users', { email: 'two@example.com' }],
  ['users.get', 'GET', `/users/${nobody}`, undefined],
])('%s tells of a new user once although its answer is lost', async (_, method, path, body) => {
  for (const fault of disturbances) faults.inject(lostAnswers[fault] as Fault, { when });
  const { uid } = (await world.call(method, path, basic, body)).body;
  const events = [aFact(key, 'user.created')];
  expect(await toldBy(world, uid)).toEqual({ events, event_count: 1 });
});
