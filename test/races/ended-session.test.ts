import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { expectProblem } from '../support/expectations.ts';
import { startWorld } from '../support/world.ts';

// A separate file, because it tests the first request with an Idempotency-Key of an instance.
const world = await startWorld();
const rejected: unknown[] = [];
const note = (reason: unknown) => rejected.push(reason);
process.on('unhandledRejection', note);
afterAll(() => void process.off('unhandledRejection', note));

test('a request with an ended session and an Idempotency-Key does not crash the instance', async () => {
  const { bearer } = await world.user();
  await world.call('DELETE', '/sessions/current', bearer);
  for (let i = 0; i < 2; i += 1) {
    const headers = { 'idempotency-key': randomUUID() };
    const path = '/users/me/email/verification';
    const answer = await world.call('POST', path, bearer, undefined, { headers });
    expectProblem(answer, 'unauthenticated');
  }
  expect(rejected).toEqual([]);
});
