import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { Handler } from '../../local/lambda.ts';
import { type StreamFeed, type StreamOptions, startStream } from '../../local/stream.ts';
import { createTable } from '../../local/table.ts';

const endpoint = inject('engine');
const client = new DynamoDBClient({
  endpoint,
  region: 'local',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
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

const put = (sk: string, value = 'x') =>
  client.send(
    new PutItemCommand({
      TableName: tableName,
      Item: { pk: { S: 'P' }, sk: { S: sk }, value: { S: value }, bytes: { B: Buffer.from('ab') } },
    }),
  );
const nameOf = (record: DynamoDBRecord) => record.dynamodb?.Keys?.['sk']?.S ?? '';
const numberOf = (record: DynamoDBRecord) => record.dynamodb?.SequenceNumber ?? '';

/** Feeds a function that takes what `fail` does not name. */
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

test('changes made before and after the start arrive in order, as Lambda has them', async () => {
  await put('a');
  await put('a', 'y');
  const records: DynamoDBRecord[] = [];
  const handler: Handler = async (event: DynamoDBStreamEvent) => {
    records.push(...event.Records);
  };
  feed = await startStream({ endpoint, client, tableName, handler });
  await feed.drained();
  await put('b');
  await feed.drained();
  expect(records.map(nameOf)).toEqual(['a', 'a', 'b']);
  expect(records[1]).toMatchObject({
    eventName: 'MODIFY',
    eventSource: 'aws:dynamodb',
    eventSourceARN: expect.stringContaining(`table/${tableName}/stream/`),
    dynamodb: {
      ApproximateCreationDateTime: expect.closeTo(Date.now() / 1000, -2),
      Keys: { pk: { S: 'P' }, sk: { S: 'a' } },
      OldImage: { value: { S: 'x' }, bytes: { B: 'YWI=' } },
      NewImage: { value: { S: 'y' }, bytes: { B: 'YWI=' } },
      SequenceNumber: expect.any(String),
    },
  });
});

test('a failed record is delivered again with what follows it, and nothing before it', async () => {
  for (const sk of ['a', 'b', 'c']) await put(sk);
  let failures = 2;
  const { drained } = await start((record) => nameOf(record) === 'b' && failures-- > 0);
  await drained();
  expect(delivered).toEqual([
    ['a', 'b', 'c'],
    ['b', 'c'],
    ['b', 'c'],
  ]);
});

test('a function that throws, or reports what it was not given, gets the whole batch again', async () => {
  await put('a');
  let calls = 0;
  const handler: Handler = async () => {
    calls += 1;
    if (calls === 1) throw new Error('down');
    return { batchItemFailures: calls === 2 ? [{ itemIdentifier: '' }] : [] };
  };
  await (await start(undefined, { handler, onError: () => {} })).drained();
  expect(calls).toBe(3);
});

test('a record that always fails is given up after the last attempt, and the others go on', async () => {
  for (const sk of ['a', 'b', 'c']) await put(sk);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  await (await start((record) => nameOf(record) === 'b', { attempts: 2, onError })).drained();
  expect(delivered).toEqual([['a', 'b', 'c'], ['b', 'c'], ['c']]);
  expect(errors).toHaveLength(1);
});

test('many changes come in batches of at most 25', async () => {
  await Promise.all(Array.from({ length: 60 }, (_, i) => put(`item ${i}`)));
  await (await start()).drained();
  expect(delivered.flat()).toHaveLength(60);
  expect(Math.max(...delivered.map((names) => names.length))).toBeLessThanOrEqual(25);
});

test('what the function itself changes is consumed before the stream counts as drained', async () => {
  await put('a');
  const handler: Handler = async ({ Records }: DynamoDBStreamEvent) => {
    delivered.push(Records.map(nameOf));
    if (nameOf(Records[0] ?? {}) === 'a') await put('follow-up');
  };
  await (await start(undefined, { handler })).drained();
  expect(delivered.flat()).toEqual(['a', 'follow-up']);
});

test('it stops while it waits to try again', async () => {
  await put('a');
  const { stop } = await start(() => true);
  await expect.poll(() => delivered.length).toBeGreaterThan(0);
  await stop();
});
