import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { Handler } from '../../local/aws/lambda.ts';
import { createTable } from '../../local/engine/table.ts';
import { type StreamFeed, type StreamOptions, startStream } from '../../local/stream/stream.ts';
import { local } from '../support/local-calls.ts';

const endpoint = inject('engine');
const client = new DynamoDBClient({ endpoint, ...local });
let tables = 0;
let tableName: string;
let feed: StreamFeed | undefined;
let delivered: string[][];

beforeEach(async () => {
  tables += 1;
  tableName = `stream-${tables}`;
  delivered = [];
  await createTable(client, tableName);
});
afterEach(() => feed?.stop());

const put = (pk: string, sk: string, value = 'x', project = 'demo') => {
  const item = { pk: { S: pk }, sk: { S: sk }, value: { S: value }, project_id: { S: project } };
  const Item = { ...item, bytes: { B: Buffer.from('ab') } };
  return client.send(new PutItemCommand({ TableName: tableName, Item }));
};
/** A new item that every function receives. */
const add = async (name: string, project?: string) => {
  await put(name, 'MEMBER#1', 'x', project);
  await put(name, 'MAIL', 'x', project);
};
const nameOf = (record: DynamoDBRecord) => record.dynamodb?.Keys?.['pk']?.S ?? '';
const numberOf = (record: DynamoDBRecord) => record.dynamodb?.SequenceNumber ?? '';

/** Feeds a function that succeeds for all records not in `fail`. */
async function start(
  fail: (record: DynamoDBRecord) => boolean = () => false,
  more?: Partial<StreamOptions>,
) {
  const handler: Handler = async ({ Records }: DynamoDBStreamEvent) => {
    delivered.push(Records.map(nameOf));
    const failed = Records.find(fail);
    return { batchItemFailures: failed ? [{ itemIdentifier: numberOf(failed) }] : [] };
  };
  feed = await startStream({ endpoint, client, tableName, handler, ...more });
  return feed;
}

test('changes before and after the start arrive in order, in the format of Lambda', async () => {
  await put('a', 'USER');
  await put('a', 'USER', 'y');
  const records: DynamoDBRecord[] = [];
  const handler: Handler = async (event: DynamoDBStreamEvent) => {
    records.push(...event.Records);
  };
  const { drained } = await start(undefined, { handler });
  expect(await drained()).toBe(true);
  await add('b');
  await drained();
  expect(records.map(nameOf)).toEqual(['a', 'a', 'b', 'b']);
  expect(records[1]).toMatchObject({
    eventName: 'MODIFY',
    eventSource: 'aws:dynamodb',
    eventSourceARN: expect.stringContaining(`table/${tableName}/stream/`),
    dynamodb: {
      // DynamoDB Local rounds the time to the minute.
      ApproximateCreationDateTime: expect.closeTo(Date.now() / 1000, -3),
      Keys: { pk: { S: 'a' }, sk: { S: 'USER' } },
      OldImage: { value: { S: 'x' }, bytes: { B: 'YWI=' } },
      NewImage: { value: { S: 'y' }, bytes: { B: 'YWI=' } },
      SequenceNumber: expect.any(String),
    },
  });
});

test('delivers only the records that a filter selects, for changes and for mails', async () => {
  const { drained } = await start();
  await add('a');
  expect(await drained()).toBe(true);
  await put('a', 'PASSWORD');
  await put('a', 'MAIL', 'claimed');
  expect(await drained()).toBe(false);
  expect(delivered.flat()).toEqual(['a', 'a']);
});

test('redelivers a failed record and those behind it, and none before it', async () => {
  for (const name of ['a', 'b', 'c']) await add(name);
  let failures = 2;
  const { drained } = await start((record) => nameOf(record) === 'b' && failures-- > 0);
  await drained();
  expect(delivered).toEqual([
    ['a', 'a', 'b', 'b', 'c', 'c'],
    ['b', 'b', 'c', 'c'],
    ['b', 'b', 'c', 'c'],
  ]);
});

test('redelivers the whole batch if the function throws, or reports an unknown record', async () => {
  await add('a');
  let calls = 0;
  const handler: Handler = async () => {
    calls += 1;
    if (calls === 1) throw new Error('down');
    return { batchItemFailures: calls === 2 ? [{ itemIdentifier: '' }] : [] };
  };
  await (await start(undefined, { handler, onError: () => {} })).drained();
  expect(calls).toBe(3);
});

test('delivers many changes in batches of at most 100', async () => {
  await Promise.all(Array.from({ length: 120 }, (_, i) => add(`item ${i}`)));
  await (await start()).drained();
  expect(delivered.flat()).toHaveLength(240);
  expect(Math.max(...delivered.map((names) => names.length))).toBe(100);
});

test('splits changes that are too large for one event into smaller batches, without duplicates', async () => {
  const large = 'x'.repeat(150_000);
  const names = Array.from({ length: 60 }, (_, i) => `item ${i}`);
  for (const name of names) await put(name, 'MEMBER#1', large);
  const errors: unknown[] = [];
  await (await start(undefined, { onError: (error) => errors.push(error) })).drained();
  expect(errors).toEqual([]);
  expect(delivered.length).toBeGreaterThan(1);
  expect(delivered.flat()).toEqual(names);
});

test('drained waits for changes that the function itself makes', async () => {
  await add('a');
  const handler: Handler = async ({ Records }: DynamoDBStreamEvent) => {
    delivered.push(Records.map(nameOf));
    if (nameOf(Records[0] ?? {}) === 'a') await add('follow-up');
  };
  await (await start(undefined, { handler })).drained();
  expect(delivered.flat()).toEqual(['a', 'a', 'follow-up', 'follow-up']);
});

test('stops while it waits for a retry', async () => {
  await add('a');
  const { stop } = await start(() => true);
  await expect.poll(() => delivered.length).toBeGreaterThan(0);
  await stop();
});
