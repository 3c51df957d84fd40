import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getItem } from '#shared/db/batch-loader.ts';
import {
  accountKey,
  consumeRateLimit,
  networkKey,
  refundRateLimit,
} from '#shared/db/rate-limits.ts';
import { runInRequest } from '#shared/db/request-context.ts';
import { keys } from '#shared/db/schema.ts';
import { ApiError } from '#shared/model/errors.ts';
import { exception, lostAnswers, lostCalls } from '../../faults/fault.ts';
import { type Faults, openFaultyTable } from '../../support/faults.ts';

let faults: Faults;
let subjects = 0;
let subject = '';

beforeAll(async () => {
  faults = await openFaultyTable();
});
afterAll(() => faults.close());
beforeEach(() => {
  subjects += 1;
  subject = `demo person${subjects}@example.com`;
  faults.reset();
});

const start = Date.parse('2026-11-21T08:00:00Z');
/** So many seconds into a window of every rate. */
const at = (seconds: number) => new Date(start + seconds * 1_000);
/** A request that works, and waits for what goes on beside its work. */
const request = <T>(work: () => Promise<T>) =>
  runInRequest('test', 2_500, async ({ backgroundWork }) => {
    try {
      return await work();
    } finally {
      await Promise.allSettled(backgroundWork);
    }
  });
/** How a request that counts one ends. */
const count = (seconds = 0, of = subject) =>
  request(() => consumeRateLimit('mailsToOne', of, at(seconds))).then(
    () => 'done',
    (error: unknown) => error as ApiError,
  );
const stored = async (seconds = 0) => {
  const window = Math.floor(at(seconds).getTime() / 600_000);
  return request(() => getItem(keys.rate('mailsToOne', subject, window)));
};

test('so many in a window as the rate says, then a failure that tells when it ends', async () => {
  for (let i = 0; i < 3; i += 1) expect(await count(i)).toBe('done');
  const failure = await count(250);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ code: 'too_many_requests', retryAfter: 350 });
  expect(await count(599.9)).toMatchObject({ retryAfter: 1 });
  expect(await count(600)).toBe('done');
});

test('exactly so many of a hundred at once', async () => {
  const ended = await Promise.all(Array.from({ length: 100 }, () => count()));
  expect(ended.filter((each) => each === 'done')).toHaveLength(3);
  expect(await stored()).toMatchObject({ count: 3 });
});

test('each subject and each rate by itself', async () => {
  for (let i = 0; i < 4; i += 1) await count();
  expect(await count(0, `${subject}.uk`)).toBe('done');
  await request(() => consumeRateLimit('mailsToOneDaily', subject, at(0)));
});

test('the table holds a number, and neither an e-mail nor an address; it is gone a window later', async () => {
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

describe('given back', () => {
  const takeAndGiveBack = () =>
    request(async () => {
      await consumeRateLimit('mailsToOne', subject, at(0));
      refundRateLimit('mailsToOne', subject, at(0));
    });

  test('it was never counted', async () => {
    for (let i = 0; i < 10; i += 1) await takeAndGiveBack();
    expect(await stored()).toMatchObject({ count: 0 });
  });

  test('what nobody took, there is no more of it than before', async () => {
    await request(async () => refundRateLimit('mailsToOne', subject, at(0)));
    expect(await stored()).toBeUndefined();
    await takeAndGiveBack();
    await request(async () => refundRateLimit('mailsToOne', subject, at(0)));
    expect(await stored()).toMatchObject({ count: 0 });
  });

  test('in vain, where the table does not answer: the request does not fail by it', async () => {
    await request(async () => {
      await consumeRateLimit('mailsToOne', subject, at(0));
      faults.inject(exception('ThrottlingException'), { times: 20 });
      refundRateLimit('mailsToOne', subject, at(0));
    });
    faults.reset();
    expect(await stored()).toMatchObject({ count: 1 });
  });
});

describe('a request that runs again, because what it read was out of date', () => {
  test('counts one', async () => {
    await request(async () => {
      for (let run = 0; run < 5; run += 1) await consumeRateLimit('mailsToOne', subject, at(0));
    });
    expect(await stored()).toMatchObject({ count: 1 });
  });

  test('counts one, even where the first count is still under way', async () => {
    await request(async () => {
      await Promise.all([1, 2, 3].map(() => consumeRateLimit('mailsToOne', subject, at(0))));
    });
    expect(await stored()).toMatchObject({ count: 1 });
  });

  test('gives back as often as it counts', async () => {
    await count();
    await request(async () => {
      for (let run = 0; run < 3; run += 1) {
        await consumeRateLimit('mailsToOne', subject, at(0));
        refundRateLimit('mailsToOne', subject, at(0));
      }
    });
    expect(await stored()).toMatchObject({ count: 1 });
  });
});

test.each(Object.entries({ ...lostAnswers, ...lostCalls }))(
  '%s: it is counted once',
  async (_, fault) => {
    faults.inject(fault);
    expect(await count()).toBe('done');
    expect(await stored()).toMatchObject({ count: 1 });
  },
);

test('what fails beside it does not answer before it is counted', async () => {
  const failing = request(() =>
    Promise.all([
      consumeRateLimit('mailsToOne', subject, at(0)),
      Promise.reject(new Error('beside')),
    ]),
  );
  await expect(failing).rejects.toThrow('beside');
  expect(await stored()).toMatchObject({ count: 1 });
});

test('a table that cannot be reached lets nobody through', async () => {
  faults.inject(exception('ThrottlingException'), { times: 20 });
  expect(await count()).toMatchObject({ code: 'temporarily_unavailable' });
});

test('an account is counted by project and e-mail, however that is written', () => {
  expect(accountKey('demo', 'Ada@Example.com')).toBe('demo ada@example.com');
  expect(accountKey('other', 'ada@example.com')).toBe('other ada@example.com');
});

test('an origin is counted by project and source, of which an IPv6 customer is one', () => {
  expect(networkKey('demo', '203.0.113.77')).toBe('demo 203.0.113.77');
  expect(networkKey('demo', '2001:db8:1:2::6')).toBe('demo 2001:db8:1:2::/64');
});
