import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { createTable } from '../../local/engine/table.ts';
import { catalogue } from './catalogue.ts';
import { ownEngine } from './nemesis.ts';
import { startProxy } from './proxy.ts';

const TableName = 'table';
const engine = await ownEngine();
const proxy = await startProxy({ engine: () => engine.endpoint });
const client = new DynamoDBClient({
  endpoint: proxy.url,
  region: 'local',
  maxAttempts: 1,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  requestHandler: { requestTimeout: 500, throwOnRequestTimeout: true },
});
await createTable(client, TableName);
afterAll(async () => {
  client.destroy();
  await proxy.close();
  await engine.close();
});

const itemOf = (pk: string, sk: string) => ({ pk: { S: pk }, sk: { S: sk } });
/** A call of each kind, each on the items `a` and `b` of a partition. */
const calls: Record<string, (pk: string) => unknown> = {
  GetItem: (pk) => new GetItemCommand({ TableName, Key: itemOf(pk, 'a') }),
  Query: (pk) =>
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: pk } },
    }),
  BatchGetItem: (pk) =>
    new BatchGetItemCommand({
      RequestItems: { [TableName]: { Keys: ['a', 'b'].map((sk) => itemOf(pk, sk)) } },
    }),
  PutItem: (pk) => new PutItemCommand({ TableName, Item: itemOf(pk, 'a') }),
  BatchWriteItem: (pk) =>
    new BatchWriteItemCommand({
      RequestItems: {
        [TableName]: ['a', 'b'].map((sk) => ({ PutRequest: { Item: itemOf(pk, sk) } })),
      },
    }),
  TransactWriteItems: (pk) =>
    new TransactWriteItemsCommand({
      TransactItems: ['a', 'b'].map((sk) => ({ Put: { TableName, Item: itemOf(pk, sk) } })),
    }),
};
const send = (command: unknown) => client.send(command as GetItemCommand);
const storedOf = async (pk: string) =>
  (await client.send(calls['Query']?.(pk) as QueryCommand)).Items?.length;

const writes: Record<string, number> = { PutItem: 1, BatchWriteItem: 2, TransactWriteItems: 2 };
const several = { RequestItems: { [TableName]: [1, 2] }, TransactItems: [1, 2] };

test.each(catalogue)('$name: is injected into the calls that it fits', async (named) => {
  const { name, fits, fault, done } = named;
  const operations = Object.keys(calls).filter((operation) => {
    const { TransactItems, RequestItems } = several;
    const body = operation.startsWith('Batch') ? { RequestItems } : { TransactItems };
    return fits({ operation, body, text: '' });
  });
  expect(operations).not.toEqual([]);
  proxy.choose(() => fault);
  const failed = await Promise.all(
    operations.map((operation) =>
      send(calls[operation]?.(`${operation} ${name}`)).then(
        () => false,
        () => true,
      ),
    ),
  );
  // Also waits for a call that arrives late.
  await proxy.quiet();
  proxy.choose(undefined);
  // The caller gets an error, and the items written by then are there.
  const most = done === 'in part' ? 1 : 2;
  for (const [i, operation] of operations.entries())
    expect([operation, failed[i], await storedOf(`${operation} ${name}`)]).toEqual([
      operation,
      done !== 'in part',
      done ? Math.min(most, writes[operation] ?? 0) : 0,
    ]);
});
