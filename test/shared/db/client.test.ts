/** @module-tag engine */
import { once } from 'node:events';
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  type GetItemCommandOutput,
  PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { hasTime, isBusy, isPermanent, pause, send } from '#shared/db/client.ts';
import { type RequestContext, runInRequest } from '#shared/db/request-context.ts';
import { env } from '#shared/model/env.ts';
import { ApiError } from '#shared/model/errors.ts';
import { catalogue } from '../../faults/catalogue.ts';
import { cancelled, exception, type Fault, lostAnswers } from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

// Neither local engine ever throttles, conflicts, fails or hangs: all faults are injected between the client and a real
// engine.
const faults = await openFaultyTable();
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const Key = { pk: { S: 'a' }, sk: { S: 'b' } };
const TableName = env.tableName();
/** A call of each operation that the service sends. */
const commands = {
  GetItem: () => new GetItemCommand({ TableName, Key }),
  Query: () =>
    new QueryCommand({
      ...{ TableName, KeyConditionExpression: 'pk = :pk' },
      ExpressionAttributeValues: { ':pk': Key.pk },
    }),
  BatchGetItem: () => new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [Key] } } }),
  PutItem: () => new PutItemCommand({ TableName, Item: Key }),
  UpdateItem: () => new UpdateItemCommand({ TableName, Key }),
  DeleteItem: () => new DeleteItemCommand({ TableName, Key }),
  BatchWriteItem: () =>
    new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item: Key } }] } }),
  TransactWriteItems: () =>
    new TransactWriteItemsCommand({
      ClientRequestToken: 'once',
      TransactItems: [{ Put: { TableName, Item: Key } }],
    }),
} satisfies Record<string, () => unknown>;
const get = () => send<GetItemCommandOutput>(commands.GetItem());
const write = (options?: { repeatConflicts: boolean }) =>
  send(commands.TransactWriteItems(), options);

/** How a call ended, how often it was sent, and how long that took. */
async function outcome(work: () => Promise<unknown>, budget = 2_500) {
  const start = performance.now();
  const ended = await request(work, budget).then(
    () => 'done',
    (error: unknown) => error as Error,
  );
  return { ended, sent: faults.calls.length, took: performance.now() - start };
}

/** A call that fails with these errors in turn, then succeeds, without an engine; and how often it was sent. */
function failingWith(...failures: Error[]) {
  let sent = 0;
  const resolveMiddleware = () => async () => {
    const failure = failures[sent];
    sent += 1;
    if (failure) throw failure;
    return { output: {} };
  };
  return { command: { resolveMiddleware }, sent: () => sent };
}

const fitting = Object.entries(commands).flatMap(([operation, command]) =>
  catalogue
    .filter(({ fits }) => fits({ operation, body: { TransactItems: [1] }, text: '' }))
    .map(({ name, fault }) => [operation, name, command, fault] as const),
);
/** Faults that the catalogue does not have. */
const further = [
  ['GetItem', 'Throttling', commands.GetItem, exception('Throttling')],
  ['GetItem', 'RequestTimeout', commands.GetItem, exception('RequestTimeout', 408)],
  ['GetItem', 'an unknown exception', commands.GetItem, exception('Whatever', 500)],
] as const;

describe('retried', () => {
  // test/faults relies on this: of faults with the same effect, it tests only one.
  test.each([...fitting, ...further])('%s: %s', async (_, __, command, fault) => {
    faults.inject(fault);
    const ended = await outcome(() => send(command()));
    expect(ended).toMatchObject({ ended: 'done', sent: 2 });
  });

  const conflict = new TransactionCanceledException({
    ...{ $metadata: {}, message: 'cancelled' },
    CancellationReasons: [{ Code: 'TransactionConflict' }],
  });
  const unsent = ['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'];
  const broken = ['ECONNRESET', 'EPIPE', 'EPROTO', 'ETIMEDOUT'];
  test.each([
    ...unsent.map((code) => ({ code, mayBeDone: false })),
    ...broken.map((code) => ({ code, mayBeDone: true })),
  ])(
    'a call that ends with $code, which local engines never cause; a conflict after it may be with itself: $mayBeDone',
    async ({ code, mayBeDone }) => {
      const failing = failingWith(Object.assign(new Error(code), { code }), conflict);
      const onOutcomeUnknown = vi.fn<() => void>();
      const options = { repeatConflicts: false, onOutcomeUnknown };
      const { ended } = await outcome(() => send(failing.command, options));
      expect(ended).toEqual(mayBeDone ? 'done' : conflict);
      expect(failing.sent()).toBe(mayBeDone ? 3 : 2);
      expect(onOutcomeUnknown).toHaveBeenCalledTimes(mayBeDone ? 1 : 0);
    },
  );

  test.each([
    ['TransactionConflict', 'None'],
    ['ThrottlingError'],
    ['ProvisionedThroughputExceeded', 'TransactionConflict'],
  ])('a transaction cancelled for %s, with the same token', async (...codes) => {
    faults.inject(cancelled(...codes), { times: 3 });
    expect(await outcome(write)).toMatchObject({ ended: 'done', sent: 4 });
    const tokens = faults.calls.map(({ body }) => body['ClientRequestToken']);
    expect(new Set(tokens)).toEqual(new Set(['once']));
  });
});

describe('not retried', () => {
  test.each([
    ...['ValidationException', 'ResourceNotFoundException', 'AccessDeniedException'],
    ...['ConditionalCheckFailedException', 'ItemCollectionSizeLimitExceededException'],
    'IdempotentParameterMismatchException',
  ])('%s reaches the caller as it is', async (name) => {
    faults.inject(exception(name), { times: 9 });
    expect(await outcome(get)).toMatchObject({ ended: { name }, sent: 1 });
  });

  test('a certificate that has expired: the connection works no better a moment later', async () => {
    const expired = Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED' });
    const failing = failingWith(expired);
    expect(await outcome(() => send(failing.command))).toMatchObject({ ended: expired });
    expect(failing.sent()).toBe(1);
  });

  test.each([
    ['ConditionalCheckFailed', 'TransactionConflict'],
    ['ValidationError'],
    ['ItemCollectionSizeLimitExceeded', 'ThrottlingError'],
  ])('a transaction cancelled for %s', async (...codes) => {
    faults.inject(cancelled(...codes), { times: 9 });
    const name = 'TransactionCanceledException';
    expect(await outcome(write)).toMatchObject({ ended: { name }, sent: 1 });
  });

  test('a conflict, if the caller wants to read again first', async () => {
    const again = (...failures: Fault[]) => {
      faults.reset();
      for (const failure of failures) faults.inject(failure);
      return outcome(() => write({ repeatConflicts: false }));
    };
    const ended = { name: 'TransactionCanceledException' };
    const conflict = cancelled('TransactionConflict');
    expect(await again(conflict)).toMatchObject({ ended, sent: 1 });
    expect(await again(cancelled('ThrottlingError'))).toMatchObject({ ended: 'done', sent: 2 });
    const both = cancelled('ThrottlingError', 'TransactionConflict');
    expect(await again(both)).toMatchObject({ ended, sent: 1 });
    for (const throttle of [cancelled('ThrottlingError'), exception('ThrottlingException')])
      expect(await again(throttle, conflict)).toMatchObject({ ended, sent: 2 });
  });

  test('except a conflict after an attempt that may have succeeded: it would look like a change by others', async () => {
    for (const lost of Object.values(lostAnswers)) {
      faults.reset();
      faults.inject(lost);
      faults.inject(cancelled('TransactionConflict'));
      const ended = await outcome(() => write({ repeatConflicts: false }));
      expect(ended).toMatchObject({ ended: 'done', sent: 3 });
    }
  });
});

describe('isPermanent', () => {
  test.each([
    ['ValidationException', true],
    ['SerializationException', true],
    ['ItemCollectionSizeLimitExceededException', true],
    ['AccessDeniedException', false],
    ['ResourceNotFoundException', false],
    ['ConditionalCheckFailedException', false],
    ['ThrottlingException', false],
  ])('%s: %s', async (name, refusal) => {
    faults.inject(exception(name), { times: 9 });
    expect(isPermanent((await outcome(get)).ended)).toBe(refusal);
  });

  test.each([
    ['ValidationError', 'None', true],
    ['None', 'ItemCollectionSizeLimitExceeded', true],
    ['ConditionalCheckFailed', 'None', false],
    ['TransactionConflict', 'None', false],
  ])('a transaction cancelled for %s and %s: %s', async (one, other, refusal) => {
    faults.inject(cancelled(one, other), { times: 9 });
    expect(isPermanent((await outcome(write)).ended)).toBe(refusal);
  });
});

test.each<[string, number | undefined, string, boolean]>([
  ['Whatever', 500, 'Internal failure', true],
  ['Whatever', 503, 'Unavailable', true],
  ['Whatever', 429, 'Slow down', true],
  ['ThrottlingException', 400, 'Slow down', true],
  ['LimitExceededException', 400, 'Slow down', true],
  ['TooManyRequestsException', 400, 'Slow down', true],
  ['Whatever', 400, 'Rate exceeded', true],
  ['AccessDeniedException', 403, 'Not allowed', false],
  ['TimeoutError', undefined, 'It hangs', false],
])('isBusy: %s with the status %s, %s: %s', (name, httpStatusCode, message, busy) => {
  const status = httpStatusCode !== undefined && { $metadata: { httpStatusCode } };
  expect(isBusy(Object.assign(new Error(message), { name }, status))).toBe(busy);
});

test('a request has time for what ends at its deadline, and not for more', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  expect(await request(() => [1_000, 1_001].map(hasTime), 1_000)).toEqual([true, false]);
});

describe('given up as temporarily_unavailable with Retry-After', () => {
  const unavailable = { code: 'temporarily_unavailable', retryAfter: 1 };
  const throttled = exception('ThrottlingException');

  // Before the tests with deadlines: a call cut off at a deadline may arrive later, and would be counted here.
  test('after 9 attempts, however much time is left', async () => {
    faults.inject(throttled, { times: Infinity });
    expect(await outcome(get, 60_000)).toMatchObject({ ended: unavailable, sent: 9 });
  });

  // The cause is the last throttle, or the abort of a call in progress at the deadline.
  test('at the deadline, while throttled', async () => {
    faults.inject(throttled, { times: Infinity });
    const { ended, sent } = await outcome(get, 200);
    expect(ended).toBeInstanceOf(ApiError);
    expect(ended).toMatchObject({ ...unavailable, cause: expect.any(Error) });
    expect(sent).toBeLessThan(9);
  });

  // Nine timeouts in succession would take 4.5 seconds; a busy machine's delay is far below that.
  test('at the deadline, without a response', async () => {
    faults.inject(async () => {}, { times: Infinity });
    const { ended, took, sent } = await outcome(get, 1_200);
    expect(ended).toMatchObject(unavailable);
    expect(sent).toBeGreaterThanOrEqual(2);
    expect(took).toBeGreaterThan(1_000);
    expect(took).toBeLessThan(4_000);
  });

  test('at the deadline, which ends a call that would wait longer', async () => {
    const resolveMiddleware =
      (_: unknown, __: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
      async () => {
        await once(abortSignal, 'abort');
        throw abortSignal.reason;
      };
    const { ended } = await outcome(() => send({ resolveMiddleware }), 50);
    expect(ended).toMatchObject({ ...unavailable, cause: { name: 'TimeoutError' } });
  });

  test('without a call when no time is left at the start', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { command, sent } = failingWith();
    expect(await outcome(() => send(command), 0)).toMatchObject({ ended: unavailable });
    expect(sent()).toBe(0);
  });

  const pauseIn = (own: Partial<RequestContext>, ...args: Parameters<typeof pause>) =>
    runInRequest('test', 60_000, (context) => {
      Object.assign(context, own);
      return pause(...args);
    });

  // Half of the longest wait: 20 ms after the first failure, doubled with each, at most 400 ms.
  test.each([
    [0, 10],
    [1, 20],
    [4, 160],
    [5, 200],
    [7, 200],
  ])('after failure %i, unless more than the wait of %i ms is left', async (attempt, wait) => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    vi.useFakeTimers({ toFake: ['Date'] });
    const cause = new Error('throttled');
    const refused = pauseIn({ deadline: Date.now() + wait }, attempt, cause);
    await expect(refused).rejects.toMatchObject({ ...unavailable, cause });
    const start = performance.now();
    await pauseIn({ deadline: Date.now() + wait + 1 }, attempt, cause);
    expect(performance.now() - start).toBeGreaterThanOrEqual(wait - 1);
  });

  test('as soon as the request is aborted', async () => {
    const aborted = pauseIn({ signal: AbortSignal.abort() }, 5, new Error('throttled'));
    await expect(aborted).rejects.toMatchObject(unavailable);
  });
});

test('a hundred failed calls in a row do not use up the retries of the next', async () => {
  faults.inject(exception('ThrottlingException'), { times: 100 });
  for (let i = 0; i < 50; i += 1) await outcome(get, 30);
  faults.reset();
  faults.inject(exception('ThrottlingException'), { times: 3 });
  expect(await outcome(get)).toMatchObject({ ended: 'done', sent: 4 });
});

test('outside a request a call is refused, because it has no deadline', async () => {
  await expect(get()).rejects.toThrow('no current request');
});
