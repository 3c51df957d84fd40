import {
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { createTable } from '../../local/engine/table.ts';
import { newFolder } from '../support/folder.ts';
import { ownEngine, startNemesis } from './nemesis.ts';
import { type Proxy, startProxy } from './proxy.ts';
import { randomOf } from './random.ts';

const TableName = 'table';
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'sk' } });
const addOne = (pk: string) => ({
  TableName,
  Key: key(pk),
  UpdateExpression: 'ADD #n :one',
  ExpressionAttributeNames: { '#n': 'n' },
  ExpressionAttributeValues: { ':one': { N: '1' } },
});
const transaction = (token: string, ...pks: string[]) =>
  new TransactWriteItemsCommand({
    ClientRequestToken: token,
    TransactItems: pks.map((pk) => ({ Update: addOne(pk) })),
  });

async function clientOf(proxy: Proxy): Promise<DynamoDBClient> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({
    endpoint: proxy.url,
    region: 'local',
    maxAttempts: 1,
    credentials,
  });
  await createTable(client, TableName);
  afterAll(async () => {
    client.destroy();
    await proxy.close();
  });
  return client;
}

/** The result of each write: `true`, or the exception's name with its reasons. */
const outcomesOf = async (writes: Promise<unknown>[]) =>
  (await Promise.allSettled(writes)).map((settled) => {
    if (settled.status === 'fulfilled') return true;
    const { name, CancellationReasons: reasons } = settled.reason as {
      name: string;
      CancellationReasons?: { Code: string }[];
    };
    return reasons ? reasons.map(({ Code }) => Code) : name;
  });

describe('two concurrent writes', async () => {
  const engine = await ownEngine();
  afterAll(() => engine.close());
  const proxy = await startProxy({ engine: () => engine.endpoint, conflicts: { hold: () => 40 } });
  const client = await clientOf(proxy);
  /** Starts the second while the first is in flight. */
  const both = async (first: () => Promise<unknown>, second: () => Promise<unknown>) => {
    const before = first();
    await expect.poll(() => proxy.calls.length, { interval: 1 }).toBeGreaterThan(0);
    const outcomes = await outcomesOf([before, second()]);
    proxy.calls.length = 0;
    return outcomes;
  };

  test.each([
    [
      'overlapping transactions: the later is cancelled, naming the shared items',
      () => client.send(transaction('one', 'a', 'b')),
      () => client.send(transaction('two', 'c', 'b', 'a')),
      [true, ['None', 'TransactionConflict', 'TransactionConflict']],
    ],
    [
      'transactions of other items: both are done',
      () => client.send(transaction('three', 'a')),
      () => client.send(transaction('four', 'b')),
      [true, true],
    ],
    [
      'a transaction and a later write of its item: the write is refused',
      () => client.send(transaction('five', 'a')),
      () => client.send(new DeleteItemCommand({ TableName, Key: key('a') })),
      [true, 'TransactionConflictException'],
    ],
    [
      'a write and a later transaction of its item: the transaction is cancelled',
      () => client.send(new UpdateItemCommand(addOne('a'))),
      () => client.send(transaction('six', 'a')),
      [true, ['TransactionConflict']],
    ],
    [
      'two writes of one item: both are done',
      () => client.send(new UpdateItemCommand(addOne('a'))),
      () => client.send(new UpdateItemCommand(addOne('a'))),
      [true, true],
    ],
    [
      'a transaction and its retry: the retry gets TransactionInProgressException',
      () => client.send(transaction('seven', 'a')),
      () => client.send(transaction('seven', 'a')),
      [true, 'TransactionInProgressException'],
    ],
  ])('%s', async (_, first, second, outcomes) => {
    proxy.calls.length = 0;
    expect(await both(first, second)).toEqual(outcomes);
  });
});

describe('an index that is behind', async () => {
  const engine = await ownEngine();
  afterAll(() => engine.close());
  const staleIndex = { seed: 1 };
  const proxy = await startProxy({ engine: () => engine.endpoint, staleIndex });
  const client = await clientOf(proxy);
  const found = async () => {
    const query = new QueryCommand({
      TableName,
      IndexName: 'by-email',
      KeyConditionExpression: 'by_email_pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'E' } },
    });
    return ((await client.send(query)).Items ?? []).map(({ pk }) => pk?.S);
  };

  test('shows written and deleted items later', async () => {
    const Item = { ...key('a'), by_email_pk: { S: 'E' }, by_email_sk: { S: '1' } };
    await client.send(new PutItemCommand({ TableName, Item }));
    expect(await found()).toEqual([]);
    await proxy.quiet();
    expect(await found()).toEqual(['a']);
    await client.send(new DeleteItemCommand({ TableName, Key: key('a') }));
    expect(await found()).toEqual(['a']);
    await proxy.quiet();
    expect(await found()).toEqual([]);
    expect(proxy.counts.staleReads).toBe(4);
  });
});

describe('an engine that is killed', async () => {
  const nemesis = await startNemesis(newFolder());
  afterAll(() => nemesis.close());
  const proxy = await startProxy({ engine: nemesis.endpoint, durableTokens: true });
  const client = await clientOf(proxy);
  const numberOf = async (pk: string) => {
    const query = new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: pk } },
    });
    return (await client.send(query)).Items?.[0]?.['n']?.N;
  };

  test('keeps acknowledged writes, and recognises their retry', async () => {
    await client.send(transaction('before the kill', 'a', 'b'));
    await nemesis.kill();
    await client.send(transaction('before the kill', 'a', 'b'));
    expect([await numberOf('a'), await numberOf('b'), nemesis.kills()]).toEqual(['1', '1', 1]);
  });

  test('applies a concurrent transaction completely or not at all, and once when it is retried', async () => {
    const tokens = Array.from({ length: 40 }, (_, i) => `under way ${i}`);
    const sent = tokens.map((token) => client.send(transaction(token, 'c', 'd')));
    await sent[3];
    const killed = nemesis.kill();
    await Promise.allSettled(sent);
    await killed;
    for (const token of tokens) await client.send(transaction(token, 'c', 'd'));
    expect([await numberOf('c'), await numberOf('d')]).toEqual(['40', '40']);
  });

  test('cancels a transaction with reasons only for its own items', async () => {
    const Put = { TableName, Item: key('a'), ConditionExpression: 'attribute_not_exists(pk)' };
    const Update = addOne('e');
    const send = client.send(
      new TransactWriteItemsCommand({
        ClientRequestToken: 'cancelled',
        TransactItems: [{ Put }, { Update }],
      }),
    );
    expect(await outcomesOf([send])).toEqual([['ConditionalCheckFailed', 'None']]);
    expect(await numberOf('e')).toBeUndefined();
  });
});

test('a seed always gives the same numbers', () => {
  const numbers = (seed: number) => Array.from({ length: 3 }, randomOf(seed));
  expect(numbers(7)).toEqual(numbers(7));
  expect(numbers(7)).not.toEqual(numbers(8));
  for (const number of numbers(9)) expect(Math.floor(number)).toBe(0);
});
