import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { rates } from '#shared/model/rates.ts';
import { exception } from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { failureOf, request } from '../../support/request.ts';

const { max, seconds, detail } = rates.changesByOne;
const faults = await openFaultyTable();
const { newChangeRateLimit } = await import('#shared/access/change-rate-limit.ts');
let uid: string;
let now: Date;
beforeEach(() => {
  uid = randomUUID();
  now = new Date('2026-11-22T09:00:03.000Z');
  faults.reset();
});

type Instance = ReturnType<typeof newChangeRateLimit>;
const change = (instance: Instance, by = uid) => request(() => instance(by, now));
/** The number of sequential changes that an instance allows. */
async function admit(instance: Instance, count: number, by = uid) {
  let admitted = 0;
  for (let i = 0; i < count; i += 1)
    if ((await failureOf(change(instance, by))) === 'done') admitted += 1;
  return admitted;
}

test('five changes a minute cost no call, and then one write counts five', async () => {
  const instance = newChangeRateLimit();
  const costs: number[] = [];
  for (let i = 1; i <= 17; i += 1) {
    faults.reset();
    await change(instance);
    if (faults.calls.length > 0) costs.push(i);
  }
  expect(costs).toEqual([6, 11, 16]);
  now = new Date(now.getTime() + seconds * 1_000);
  faults.reset();
  expect(await admit(instance, 5)).toBe(5);
  expect(faults.calls).toEqual([]);
});

test('one instance allows exactly the limit, and then refuses without a call until the minute ends', async () => {
  const instance = newChangeRateLimit();
  expect(await admit(instance, max + 20)).toBe(max);
  faults.reset();
  const refusal = { code: 'too_many_requests', detail, retryAfter: 57 };
  await expect(change(instance)).rejects.toMatchObject(refusal);
  expect(faults.calls).toEqual([]);
  expect(await admit(instance, 1, randomUUID())).toBe(1);
  now = new Date('2026-11-22T09:01:00.000Z');
  expect(await admit(instance, 10)).toBe(10);
});

test('twenty instances share the limit, except for the first five changes of each', async () => {
  const instances = Array.from({ length: 20 }, () => newChangeRateLimit());
  let all = 0;
  for (let i = 0; i < 40; i += 1) for (const instance of instances) all += await admit(instance, 1);
  expect(all).toBeGreaterThanOrEqual(max);
  expect(all).toBeLessThanOrEqual(max + 5 * (instances.length - 1));
});

test('what other instances leave of the limit is used to the end', async () => {
  const window = Math.floor(now.getTime() / 1_000 / seconds);
  // Of the changes that are counted: the first five of the limit are not.
  await faults.seed([{ ...keys.changeRate(uid, window), count: max - 5 - 3 }]);
  expect(await admit(newChangeRateLimit(), 20)).toBe(5 + 3);
});

test('concurrent changes on one instance are counted once each', async () => {
  const instance = newChangeRateLimit();
  const all = await Promise.all(
    Array.from({ length: max + 50 }, () => failureOf(change(instance))),
  );
  expect(all.filter((each) => each === 'done')).toHaveLength(max);
  expect(all.filter((each) => each === 'too_many_requests')).toHaveLength(50);
});

test('a count expires one minute after its own', async () => {
  await admit(newChangeRateLimit(), 6);
  const end = Date.parse('2026-11-22T09:02:00.000Z') / 1_000;
  expect(faults.calls.map(({ text }) => text)).toEqual([expect.stringContaining(`"${end}"`)]);
});

test('a change whose count fails is refused, and the next one counts again', async () => {
  const instance = newChangeRateLimit();
  await admit(instance, 5);
  faults.inject(exception('ValidationException'));
  await expect(change(instance)).rejects.toThrow('ValidationException');
  faults.reset();
  expect(await admit(instance, 1)).toBe(1);
});

test('counting does not wait for the session check, as other writes of the request do', async () => {
  const instance = newChangeRateLimit();
  await admit(instance, 5);
  await request(async (context) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    context.sessionVerified = promise;
    expect(await instance(uid, now)).toBeUndefined();
    resolve();
  });
});
