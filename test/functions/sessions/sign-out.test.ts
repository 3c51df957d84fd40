import { expect, test } from 'vitest';
import { aTime, expectInvalid, expectProblem } from '../../support/expectations.ts';
import { sessionIdOf, sessionKey } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const signOut = (auth?: string) => world.call('DELETE', '/sessions/current', auth);
const getMe = (person: Person) => world.call('GET', '/users/me', person.bearer);
const renew = ({ refresh_token, access_token: accessToken }: Person) =>
  world.call('POST', '/sessions/token/refresh', `Bearer ${refresh_token}`, { accessToken });

test('200 ends the session of the request and no other', async () => {
  const here = await world.user();
  const there = await world.session(here.uid);
  const { status, headers, body } = await signOut(here.bearer);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({ session_id: sessionIdOf(here), ended_at: aTime() });
  expectProblem(await getMe(here), 'unauthenticated');
  expectProblem(await renew(here), 'unauthenticated');
  expect(await world.table.get(sessionKey(here))).toBeUndefined();
  expect((await getMe(there)).status).toBe(200);
  expect((await renew(there)).status).toBe(200);
});

test('200 ends every pair of tokens that the session ever had', async () => {
  const first = await world.user();
  const next = (await renew(first)).body;
  expect((await signOut(`Bearer ${next.access_token}`)).status).toBe(200);
  for (const tokens of [first, next]) {
    expectProblem(
      await getMe({ ...first, bearer: `Bearer ${tokens.access_token}` }),
      'unauthenticated',
    );
    expectProblem(await renew(tokens), 'unauthenticated');
  }
});

test('nothing is alive after the answer, however many refreshes race with it', async () => {
  for (let round = 0; round < 5; round += 1) {
    const person = await world.user();
    const [answer, ...renewed] = await Promise.all([
      signOut(person.bearer),
      ...Array.from({ length: 10 }, () => renew(person)),
    ]);
    expect(answer.status).toBe(200);
    for (const { status, body } of renewed) {
      expect([200, 401]).toContain(status);
      if (status !== 200) continue;
      const bearer = `Bearer ${body.access_token}`;
      expectProblem(await getMe({ ...person, bearer }), 'unauthenticated');
      expectProblem(await renew(body), 'unauthenticated');
    }
    expect(await world.table.query(`USER#${person.uid}`, 'SESSION#')).toEqual([]);
  }
});

test('401 the second time, for a back end, with a refresh token and for nobody', async () => {
  const person = await world.user();
  const other = await world.session(person.uid);
  await signOut(person.bearer);
  const refused = [person.bearer, world.project.basic, `Bearer ${other.refresh_token}`, undefined];
  for (const auth of refused) expectProblem(await signOut(auth), 'unauthenticated');
  expect((await getMe(other)).status).toBe(200);
});

test('400 for a query, which this has none of; the session lives on', async () => {
  const person = await world.user();
  const query = { user_id: person.uid };
  const answer = await world.call('DELETE', '/sessions/current', person.bearer, undefined, {
    query,
  });
  expectInvalid(answer, '/query/user_id');
  expect((await getMe(person)).status).toBe(200);
});
