import { beforeEach, expect, test } from 'vitest';
import type { LiveKey } from '#shared/api-keys/live-key.ts';
import { exception } from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();
const { newKeyRateLimit } = await import('#shared/api-keys/key-rate-limit.ts');
let made = 0;
let found: LiveKey;
let now: Date;
beforeEach(() => {
  made += 1;
  found = { key: { key_id: `key-${made}` }, owner: { kind: 'user', id: 'ada' } } as LiveKey;
  now = new Date('2026-11-22T09:00:03.000Z');
  faults.reset();
});

type Instance = ReturnType<typeof newKeyRateLimit>;
/** The number of sequential requests that an instance allows. */
async function admit(instance: Instance, count: number, api_key_rate_limit = 600) {
  let admitted = 0;
  for (let i = 0; i < count; i += 1) {
    const refused = await request(() => instance({ api_key_rate_limit }, found, now));
    if (refused === undefined) admitted += 1;
    else expect(refused).toBe(57);
  }
  return admitted;
}

test('a project without a limit costs no call', async () => {
  expect(await request(() => newKeyRateLimit()({}, found, now))).toBeUndefined();
  expect(faults.calls).toEqual([]);
});

test('one instance allows exactly the limit in each minute, with a write for each 2 %', async () => {
  const instance = newKeyRateLimit();
  expect(await admit(instance, 700)).toBe(600);
  // Fifty counts, then one for more than is left, and one for the last request.
  expect(faults.calls).toHaveLength(52);
  now = new Date(now.getTime() + 60_000);
  expect(await admit(instance, 12)).toBe(12);
});

test.each([1, 7, 49, 50, 101, 333])('a limit of %i is exact', async (limit) => {
  expect(await admit(newKeyRateLimit(), limit + 3, limit)).toBe(limit);
  // Below 100, each request is counted separately, and so is the one beyond the limit.
  if (limit < 100) expect(faults.calls).toHaveLength(limit + 1);
});

test('a count expires one minute after its own, and a failed count refuses the request', async () => {
  await admit(newKeyRateLimit(), 1);
  const end = Date.parse('2026-11-22T09:02:00.000Z') / 1_000;
  expect(faults.calls.map(({ text }) => text)).toEqual([expect.stringContaining(`"${end}"`)]);
  faults.inject(exception('ValidationException'));
  await expect(admit(newKeyRateLimit(), 1)).rejects.toThrow('ValidationException');
});

test('five instances together never allow more than the limit, and at least 90 % of it if four stop', async () => {
  const instances = Array.from({ length: 5 }, () => newKeyRateLimit());
  let all = 0;
  for (let i = 0; i < 61; i += 1) for (const instance of instances) all += await admit(instance, 1);
  const [last] = instances;
  if (last) all += await admit(last, 600);
  expect(all).toBeGreaterThanOrEqual(540);
  expect(all).toBeLessThanOrEqual(600);
});
