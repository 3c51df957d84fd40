/** @module-tag engine */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { getItem } from '#shared/db/batch-loader.ts';
import { change } from '#shared/db/change.ts';
import { keys } from '#shared/db/keys.ts';
import {
  accountKey,
  consumeRateLimit,
  countUse,
  isCounted,
  networkKey,
  rateLimitWrite,
  refundRateLimit,
  siteKey,
} from '#shared/db/rate-limits.ts';
import { ApiError } from '#shared/model/errors.ts';
import { doneAfter, exception, lostAnswers, lostCalls } from '../../faults/fault.ts';
import { atOnce } from '../../support/at-once.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();
let subjects = 0;
let subject = '';

beforeEach(() => {
  subjects += 1;
  subject = `demo person${subjects}@example.com`;
});

const start = Date.parse('2026-11-21T08:00:00Z');
/** This many seconds into a window of every rate. */
const at = (seconds: number) => new Date(start + seconds * 1_000);
const take = (seconds = 0, of = subject) => consumeRateLimit('mailsToOne', of, at(seconds));
const giveBack = () => refundRateLimit('mailsToOne', subject, at(0));
const count = (seconds = 0, of = subject) =>
  request(() => take(seconds, of).then(() => 'done')).catch((error: unknown) => error);
const keyAt = (seconds = 0) =>
  keys.rate('mailsToOne', subject, Math.floor(at(seconds).getTime() / 600_000));
const stored = async (seconds = 0) => request(() => getItem(keyAt(seconds)));

test('allows the number of the rate in a window, then fails with the time until its end', async () => {
  for (let i = 0; i < 3; i += 1) expect(await request(() => take(i))).toBe(i + 1);
  const failure = await count(250);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ code: 'too_many_requests', retryAfter: 350 });
  expect(await count(599.9)).toMatchObject({ retryAfter: 1 });
  expect(await count(600)).toBe('done');
});

test('allows exactly that number of a hundred concurrent requests', async () => {
  const ended = await atOnce(100, () => count());
  expect(ended.filter((each) => each === 'done')).toHaveLength(3);
  expect(ended.filter((each) => each instanceof ApiError)).toHaveLength(97);
  expect(await stored()).toMatchObject({ count: 3 });
});

test('counts each subject and each rate separately', async () => {
  for (let i = 0; i < 4; i += 1) await count();
  expect(await count(0, `${subject}.uk`)).toBe('done');
  await request(() => consumeRateLimit('mailsToOneDaily', subject, at(0)));
});

test('the table has a hash and a number, but no e-mail or address, and expires a window later', async () => {
  await count();
  const item = await stored();
  expect(item).toEqual({
    pk: expect.stringMatching(/^RATE#mailsToOne#[\w-]{43}$/),
    sk: expect.stringMatching(/^RATE#\d+$/),
    count: 1,
    expires_at: start / 1_000 + 1_200,
    write_id: expect.any(String),
  });
});

test('a write counts several with its change, or refuses the change if there is no room for all', async () => {
  const add = (more: number, seconds = 0) =>
    request(() => {
      const { write, refusal } = rateLimitWrite('mailsToOne', subject, more, at(seconds));
      return change({ write }, 'done', () => refusal);
    }).catch((error: unknown) => error);
  expect(await add(2)).toBe('done');
  expect(await add(2, 250)).toMatchObject({ code: 'too_many_requests', retryAfter: 350 });
  expect(await add(1)).toBe('done');
  expect(await stored()).toMatchObject({ count: 3, expires_at: start / 1_000 + 1_200 });
});

describe('a refund', () => {
  const takeAndGiveBack = () => request(() => take().then(giveBack));

  test('takes a count back', async () => {
    for (let i = 0; i < 10; i += 1) await takeAndGiveBack();
    expect(await stored()).toMatchObject({ count: 0 });
  });

  test('of a count that was not taken does not lower the counter', async () => {
    await request(giveBack);
    expect(await stored()).toBeUndefined();
    await takeAndGiveBack();
    await request(giveBack);
    expect(await stored()).toMatchObject({ count: 0 });
  });

  test('that the table refuses does not fail the request', async () => {
    await request(async () => {
      await take();
      faults.inject(exception('ThrottlingException'), { times: 20 });
      giveBack();
    });
    faults.reset();
    expect(await stored()).toMatchObject({ count: 1 });
  });
});

describe('a request that runs again after a stale read', () => {
  test('counts one', async () => {
    await request(async () => {
      expect(isCounted(keyAt())).toBe(false);
      for (let run = 0; run < 5; run += 1) await take();
      expect(isCounted(keyAt())).toBe(true);
    });
    expect(await stored()).toMatchObject({ count: 1 });
  });

  test('counts one, even while the first count is still running', async () => {
    await request(() => Promise.all([take(), take(), take()]));
    expect(await stored()).toMatchObject({ count: 1 });
  });

  test('refunds as often as it counts', async () => {
    await count();
    await request(async () => {
      for (let run = 0; run < 3; run += 1) await take().then(giveBack);
    });
    expect(await stored()).toMatchObject({ count: 1 });
  });
});

const losses = Object.entries({ ...lostAnswers, ...lostCalls });
test.each(losses)('%s: it is counted once', async (_, fault) => {
  faults.inject(fault);
  expect(await count()).toBe('done');
  expect(await stored()).toMatchObject({ count: 1 });
});

test('a failure beside the count is not returned before the count is written', async () => {
  faults.inject(doneAfter(() => sleep(100)));
  const failing = request(() => Promise.all([take(), Promise.reject(new Error('beside'))]));
  await expect(failing).rejects.toThrow('beside');
  expect(await stored()).toMatchObject({ count: 1 });
});

test('refuses requests if the table cannot be reached', async () => {
  faults.inject(exception('ThrottlingException'), { times: 40 });
  expect(await count()).toMatchObject({ code: 'temporarily_unavailable' });
  const byJob = request(() => countUse('mailsToOne', subject, at(0)));
  await expect(byJob).rejects.toMatchObject({ code: 'temporarily_unavailable' });
});

test('an account is counted by project and e-mail in lower case', () => {
  expect(accountKey('demo', 'Ada@Example.com')).toBe('demo ada@example.com');
  expect(accountKey('other', 'ada@example.com')).toBe('other ada@example.com');
});

test('an origin is counted by project and address, an IPv6 address by its /64', () => {
  expect(networkKey('demo', '203.0.113.77')).toBe('demo 203.0.113.77');
  expect(networkKey('demo', '2001:db8:1:2::6')).toBe('demo 2001:db8:1:2::/64');
  expect(siteKey('demo', '203.0.113.77')).toBeUndefined();
  expect(siteKey('demo', '2001:db8:1:2::6')).toBe('demo 2001:db8:1::/48');
});
