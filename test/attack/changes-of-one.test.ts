/**
 * @module-tag source
 * @module-tag alone
 */
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { isReadOnly, type Route } from '#shared/contract/route.ts';
import { keys } from '#shared/db/keys.ts';
import { rates } from '#shared/model/rates.ts';
import { routeCaller } from '../contract/calls.ts';
import { sampleOf } from '../contract/samples.ts';
import { userKey } from '../support/api-keys.ts';
import { expectProblem } from '../support/expectations.ts';
import { type Person, startWorld } from '../support/world.ts';

/** A user who floods the service with changes blocks only themselves. */

// The clock stands still: no minute ends.
vi.useFakeTimers({ toFake: ['Date'] });
const world = await startWorld();
const call = routeCaller(world);
const { max, seconds, detail } = rates.changesByOne;
const window = () => Math.floor(Date.now() / 1_000 / seconds);
const aMinuteLater = () => vi.setSystemTime((window() + 1) * seconds * 1_000);

const rename = ({ uid }: Person, auth: string, display_name: string) =>
  world.call({ method: 'PUT', path: `/users/${uid}`, auth, body: { display_name } });
/** Uses up the limit of a user for this minute, as if by other instances. */
const flood = ({ uid }: Person) =>
  world.table.put({ ...keys.changeRate(uid, window()), count: max });
/** Uses up the requests that this instance allows before it reads the shared counter. */
async function useUp(person: Person) {
  await flood(person);
  for (let i = 0; i < 5; i += 1)
    expect((await rename(person, person.bearer, `${i}`)).status).toBe(200);
}

const byPeople = (routes as readonly Route[]).filter(({ auth }) => auth.includes('access'));
const changes = byPeople.filter((route) => !isReadOnly(route));
const ending = ['sessions.end', 'sessions.endAll', 'sessions.signOut'];

describe('a user who has used up the changes of a minute', () => {
  // A refused change changes nothing, and counts no further.
  let spent: Person;
  beforeAll(async () => {
    aMinuteLater();
    spent = await world.user();
    await useUp(spent);
  });
  const callBy = (route: Route, { bearer: auth }: Person, headers = {}) =>
    call(route, { auth, headers, params: sampleOf(route).params });

  test.each(changes.filter(({ name }) => !ending.includes(name)))(
    '$name: 429 with and without an Idempotency-Key',
    async (route) => {
      for (const headers of [{}, { 'idempotency-key': `a-key-for-${route.name}` }]) {
        const refused = await callBy(route, spent, headers);
        expectProblem(refused, 'too_many_requests');
        expect(refused.body.detail).toBe(detail);
        expect(refused.headers.get('retry-after')).toBe(`${seconds}`);
      }
    },
  );

  test.each(byPeople.filter(isReadOnly))('$name: is not limited', async (route) => {
    expect((await callBy(route, spent)).status).not.toBe(429);
  });

  test.each(changes.filter(({ name }) => ending.includes(name)))(
    '$name: is not limited, because it ends sessions',
    async (route) => {
      const person = await world.user();
      await useUp(person);
      expect((await callBy(route, person)).status).not.toBe(429);
    },
  );
});

test('refuses the 301st change of a user within a minute, but not reads, other users or the backend', async () => {
  aMinuteLater();
  const [ada, bob] = [await world.user(), await world.user()];
  for (let i = 0; i < max; i += 1)
    expect((await rename(ada, ada.bearer, `Ada ${i}`)).status).toBe(200);
  vi.setSystemTime(Date.now() + 20_000);
  const refused = await rename(ada, ada.bearer, 'Too many');
  expectProblem(refused, 'too_many_requests');
  expect(refused.headers.get('retry-after')).toBe(`${seconds - 20}`);
  // Also by another session of the same user.
  const { bearer } = await world.session(ada.uid);
  expectProblem(await rename(ada, bearer, 'Too many'), 'too_many_requests');
  const me = await world.call('GET', '/users/me', ada.bearer);
  expect([me.status, me.body.display_name]).toEqual([200, `Ada ${max - 1}`]);
  expect((await rename(bob, bob.bearer, 'Bob')).status).toBe(200);
  expect((await rename(ada, world.project.basic, 'By the backend')).status).toBe(200);
  aMinuteLater();
  expect((await rename(ada, ada.bearer, 'Ada')).status).toBe(200);
});

test('the token of an ended session is refused as invalid, and does not count against the limit of the user', async () => {
  const ada = await world.user();
  const stolen = await world.session(ada.uid);
  await world.call('DELETE', '/sessions', ada.bearer);
  for (let i = 0; i < 20; i += 1)
    expectProblem(await rename(ada, stolen.bearer, 'Mallory'), 'unauthenticated');
  expect(await world.table.get(keys.changeRate(ada.uid, window()))).toBeUndefined();
  await useUp(ada);
  expectProblem(await rename(ada, stolen.bearer, 'Mallory'), 'unauthenticated');
});

test('an API key of a user has its own limit, which the project sets', async () => {
  const ada = await world.user();
  const { workspace_id } = await world.workspace({ owner: ada });
  const { bearer } = await userKey(world, ada);
  aMinuteLater();
  await useUp(ada);
  const path = `/workspaces/${workspace_id}`;
  const change = (auth: string) =>
    world.call({ method: 'PUT', path, auth, body: { description: 'New' } });
  expectProblem(await change(ada.bearer), 'too_many_requests');
  expect((await change(bearer)).status).toBe(200);
});
