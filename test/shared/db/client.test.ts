/** @module-tag engine */
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  type GetItemCommandOutput,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { isPermanent, send } from '#shared/db/client.ts';
import { env } from '#shared/model/env.ts';
import { ApiError } from '#shared/model/errors.ts';
import { catalogue } from '../../faults/catalogue.ts';
import { cancelled, exception, type Fault, lostAnswers } from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

// Neither local engine ever throttles, conflicts, fails or hangs: all faults are injected between the client and a real
// engine.
const faults = await openFaultyTable();

const Key = { pk: { S: 'a' }, sk: { S: 'b' } };
/** A call of each operation that the service sends. */
const commands = {
  GetItem: () => new GetItemCommand({ TableName: env.tableName(), Key }),
  Query: () =>
    new QueryCommand({
      TableName: env.tableName(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': Key.pk },
    }),
  BatchGetItem: () =>
    new BatchGetItemCommand({ RequestItems: { [env.tableName()]: { Keys: [Key] } } }),
  PutItem: () => new PutItemCommand({ TableName: env.tableName(), Item: Key }),
  UpdateItem: () => new UpdateItemCommand({ TableName: env.tableName(), Key }),
  DeleteItem: () => new DeleteItemCommand({ TableName: env.tableName(), Key }),
  BatchWriteItem: () =>
    new BatchWriteItemCommand({
      RequestItems: { [env.tableName()]: [{ PutRequest: { Item: Key } }] },
    }),
  TransactWriteItems: () =>
    new TransactWriteItemsCommand({
      ClientRequestToken: 'once',
      TransactItems: [{ Put: { TableName: env.tableName(), Item: Key } }],
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

const fitting = Object.entries(commands).flatMap(([operation, command]) =>
  catalogue
    .filter(({ fits }) => fits({ operation, body: { TransactItems: [1] }, text: '' }))
    .map(({ name, fault }) => [operation, name, command, fault] as const),
);

describe('retried', () => {
  // test/faults relies on this: of faults with the same effect, it tests only one.
  test.each(fitting)('%s: %s', async (_, __, command, fault) => {
    faults.inject(fault);
    const ended = await outcome(() => send(command()));
    expect(ended).toMatchObject({ ended: 'done', sent: 2 });
  });

  test.each<[string, Fault]>([
    ['Throttling', exception('Throttling')],
    ['an unknown exception', exception('Whatever', 500)],
  ])('GetItem: %s', async (_, fault) => {
    faults.inject(fault);
    expect(await outcome(get)).toMatchObject({ ended: 'done', sent: 2 });
  });

  test.each(['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'ENOTFOUND', 'ECONNRESET'])(
    'a call that ends with %s, which local engines never cause',
    async (code) => {
      let sent = 0;
      const resolveMiddleware = () => async () => {
        sent += 1;
        if (sent === 1) throw Object.assign(new Error(code), { code });
        return { output: {} };
      };
      await request(() => send({ resolveMiddleware }));
      expect(sent).toBe(2);
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
    'ValidationException',
    'ResourceNotFoundException',
    'AccessDeniedException',
    'ConditionalCheckFailedException',
    'ItemCollectionSizeLimitExceededException',
    'IdempotentParameterMismatchException',
  ])('%s reaches the caller as it is', async (name) => {
    faults.inject(exception(name), { times: 9 });
    expect(await outcome(get)).toMatchObject({ ended: { name }, sent: 1 });
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
    faults.inject(cancelled('TransactionConflict'));
    const name = 'TransactionCanceledException';
    const again = () => write({ repeatConflicts: false });
    expect(await outcome(again)).toMatchObject({ ended: { name }, sent: 1 });
    faults.reset();
    faults.inject(cancelled('ThrottlingError'));
    expect(await outcome(again)).toMatchObject({ ended: 'done', sent: 2 });
    faults.reset();
    faults.inject(cancelled('ThrottlingError'));
    faults.inject(cancelled('TransactionConflict'));
    expect(await outcome(again)).toMatchObject({ ended: { name }, sent: 2 });
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

  test('when no time is left at the start', async () => {
    faults.inject(async () => {}, { times: Infinity });
    const { ended, sent } = await outcome(get, 0);
    expect(ended).toMatchObject(unavailable);
    expect(sent).toBeLessThanOrEqual(1);
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
