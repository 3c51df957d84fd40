import { expect, test } from 'vitest';
import { aTime, expectProblem, expectSame, unknownId } from '../../support/expectations.ts';
import { sessionIdOf, sessionKey } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const end = (session_id: string, caller: Person | typeof project, user_id?: string) =>
  world.as(caller).sessions.end({ session_id, user_id });
const statusOf = async (person: Person) => (await world.as(person).users.getMe()).status;

test('200 ends another session of the caller, whose next request and refresh are refused', async () => {
  const here = await world.user();
  const there = await world.session(here.uid);
  expect(await statusOf(there)).toBe(200);
  const session_id = sessionIdOf(there);
  const { status, body } = await end(session_id, here);
  expect([status, body]).toEqual([200, { session_id, ended_at: aTime() }]);
  expectProblem(await world.as(there).users.getMe(), 'unauthenticated');
  expectProblem(await world.renew(there), 'unauthenticated');
  expect(await world.table.get(sessionKey(there))).toBeUndefined();
  expect(await statusOf(here)).toBe(200);
  expect((await world.renew(here)).status).toBe(200);
});

test.each([
  ["200 ends the caller's own session", 'person'],
  ['200 the backend ends a session of the user that it names', 'project'],
])('%s', async (_, by) => {
  const person = await world.user();
  const other = await world.session(person.uid);
  const session_id = sessionIdOf(person);
  const { status, body } =
    by === 'person' ? await end(session_id, person) : await end(session_id, project, person.uid);
  expect([status, body]).toEqual([200, { session_id, ended_at: aTime() }]);
  expect(await statusOf(person)).toBe(401);
  expectProblem(await world.renew(person), 'unauthenticated');
  expect(await statusOf(other)).toBe(200);
});

test('404 for an ended or expired session, with the same response as for an unknown one', async () => {
  const person = await world.user();
  const ended = sessionIdOf(await world.session(person.uid));
  await end(ended, person);
  const expired = await world.session(person.uid);
  await world.table.update(sessionKey(expired), { idle_expires_at: 1 });
  const unknown = await end(unknownId, person);
  expectProblem(unknown, 'not_found');
  expectSame(await end(ended, person), unknown);
  expectSame(await end(sessionIdOf(expired), person), unknown);
  expectProblem(await end(ended, project, person.uid), 'not_found');
  const another = sessionIdOf(await world.user());
  expectProblem(await end(another, project, person.uid), 'not_found');
});
