import { expect, test } from 'vitest';
import { type Person, startWorld } from '../support/world.ts';
import { times } from './many.ts';

// No local engine ever raises TransactionConflict: here writes that meet are told so by their conditions alone.
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

test('200 presenters of one refresh token get one successor, byte for byte', async () => {
  const person = await world.user();
  const answers = await present(200, person);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const [{ text } = { text: '' }] = answers;
  const next = JSON.parse(text) as { refresh_token: string; access_token: string };
  expect(next.refresh_token).not.toBe(person.refresh_token);
  // The session goes on: the successor is good, and so is its own.
  const after = await refresh(next.refresh_token, next.access_token);
  expect(after.status).toBe(200);
});

test('presenters of a token that was copied and used end the session once, for everyone', async () => {
  const person = await world.user();
  const next = JSON.parse((await refresh(person.refresh_token, person.access_token)).text);
  await refresh(next.refresh_token, next.access_token);
  const answers = await present(50, person);
  for (const { status, text } of answers)
    expect([status, JSON.parse(text).code]).toEqual([401, 'refresh_token_reused']);
  expect((await world.call('GET', '/users/me', `Bearer ${next.access_token}`)).status).toBe(401);
  const [session, ...others] = await world.table.query(`USER#${person.uid}`, 'SESSION#');
  expect([session?.['revoked_reason'], others]).toEqual(['refresh_token_reused', []]);
});

test('50 sessions started at once are 50 sessions', async () => {
  const { uid } = await world.user();
  const started = await times(50, () => world.session(uid));
  expect(new Set(started.map(({ refresh_token }) => refresh_token)).size).toBe(50);
  expect(await world.table.query(`USER#${uid}`, 'SESSION#')).toHaveLength(51);
});
