import { expect, test } from 'vitest';
import {
  aTime,
  expectInvalid,
  expectProblem,
  expectSame,
  nobody,
} from '../../support/expectations.ts';
import { sessionIdOf, sessionKey } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const end = (session_id: string, auth?: string, user_id?: string) =>
  world.call('DELETE', `/sessions/${session_id}`, auth, undefined, {
    ...(user_id !== undefined && { query: { user_id } }),
  });
const getMe = (person: Person) => world.call('GET', '/users/me', person.bearer);
const renew = ({ refresh_token, access_token: accessToken }: Person) =>
  world.call('POST', '/sessions/token/refresh', `Bearer ${refresh_token}`, { accessToken });

test('200 ends another session of the caller: its next request and its refresh are refused', async () => {
  const here = await world.user();
  const there = await world.session(here.uid);
  expect((await getMe(there)).status).toBe(200);
  const session_id = sessionIdOf(there);
  const { status, headers, body } = await end(session_id, here.bearer);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({ session_id, ended_at: aTime() });
  expectProblem(await getMe(there), 'unauthenticated');
  expectProblem(await renew(there), 'unauthenticated');
  expect(await world.table.get(sessionKey(there))).toBeUndefined();
  expect((await getMe(here)).status).toBe(200);
  expect((await renew(here)).status).toBe(200);
});

test("200 ends the caller's own", async () => {
  const person = await world.user();
  const session_id = sessionIdOf(person);
  const { status, body } = await end(session_id, person.bearer);
  expect([status, body]).toEqual([200, { session_id, ended_at: aTime() }]);
  expectProblem(await getMe(person), 'unauthenticated');
  expectProblem(await renew(person), 'unauthenticated');
});

test('200 for the back end, of any of its users', async () => {
  const first = await world.user();
  const second = await world.session(first.uid);
  const session_id = sessionIdOf(first);
  const { status, body } = await end(session_id, project.basic, first.uid);
  expect([status, body]).toEqual([200, { session_id, ended_at: aTime() }]);
  expectProblem(await getMe(first), 'unauthenticated');
  expect((await getMe(second)).status).toBe(200);
});

test('404 the second time, and for one that has expired: the very answer of one that never was', async () => {
  const person = await world.user();
  const ended = sessionIdOf(await world.session(person.uid));
  await end(ended, person.bearer);
  const expired = await world.session(person.uid);
  await world.table.update(sessionKey(expired), { idle_expires_at: 1 });
  const unknown = await end(nobody, person.bearer);
  expectProblem(unknown, 'not_found');
  expectSame(await end(ended, person.bearer), unknown);
  expectSame(await end(sessionIdOf(expired), person.bearer), unknown);
  expectProblem(await end(ended, project.basic, person.uid), 'not_found');
});

test("404 for another person's, by its id alone and with their uid; it lives on", async () => {
  const ada = await world.user();
  const bob = await world.user();
  const answer = await end(sessionIdOf(bob), ada.bearer);
  expectProblem(answer, 'not_found');
  expectSame(answer, await end(sessionIdOf(bob), ada.bearer, bob.uid));
  expectSame(answer, await end(sessionIdOf(bob), ada.bearer, ada.uid));
  expectSame(answer, await end(nobody, ada.bearer));
  expectProblem(await end(sessionIdOf(bob), project.basic, ada.uid), 'not_found');
  expect((await getMe(bob)).status).toBe(200);
});

test('404 for the back end of another project; it lives on', async () => {
  const person = await world.user();
  const foreign = await world.newProject();
  const answer = await end(sessionIdOf(person), foreign.basic, person.uid);
  expectProblem(answer, 'not_found');
  expectSame(answer, await end(nobody, foreign.basic, nobody));
  expect((await getMe(person)).status).toBe(200);
});

test('400 names every wrong field; the back end must say whose', async () => {
  expectInvalid(await end('first', project.basic, 'ada'), '/path/session_id', '/query/user_id');
  const person = await world.user();
  expectInvalid(await end(sessionIdOf(person), project.basic), '/query/user_id');
  expect((await getMe(person)).status).toBe(200);
});

test('401 without a credential and with a refresh token; it lives on', async () => {
  const person = await world.user();
  for (const auth of [undefined, `Bearer ${person.refresh_token}`])
    expectProblem(await end(sessionIdOf(person), auth), 'unauthenticated');
  expect((await getMe(person)).status).toBe(200);
});
