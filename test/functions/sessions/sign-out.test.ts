import { expect, test } from 'vitest';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { sessionIdOf, sessionKey } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

type Tokens = Pick<Person, 'access_token' | 'refresh_token'>;

const world = await startWorld();
const signOut = ({ access_token }: Tokens) => world.as(`Bearer ${access_token}`).sessions.signOut();
const getMe = ({ access_token }: Tokens) => world.as(`Bearer ${access_token}`).users.getMe();

async function expectEnded(tokens: Tokens): Promise<void> {
  expectProblem(await getMe(tokens), 'unauthenticated');
  expectProblem(await world.renew(tokens), 'unauthenticated');
}

test('200 ends only the session of the request', async () => {
  const here = await world.user();
  const there = await world.session(here.uid);
  const { status, headers, body } = await signOut(here);
  expect([status, body]).toEqual([200, { session_id: sessionIdOf(here), ended_at: aTime() }]);
  expect(headers.get('cache-control')).toBe('no-store');
  await expectEnded(here);
  expect(await world.table.get(sessionKey(here))).toBeUndefined();
  expect((await getMe(there)).status).toBe(200);
  expect((await world.renew(there)).status).toBe(200);
});

test('200 ends access for every earlier token of the session', async () => {
  const first = await world.user();
  const next = (await world.renew(first)).body;
  expect((await signOut(next)).status).toBe(200);
  for (const tokens of [first, next]) await expectEnded(tokens);
});
