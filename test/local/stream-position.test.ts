/** @module-tag alone */
import { cp, rm } from 'node:fs/promises';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Handler } from '../../local/aws/lambda.ts';
import { type Engine, startEngine } from '../../local/engine/engine.ts';
import { createTable } from '../../local/engine/table.ts';
import { positionsIn } from '../../local/stream/position.ts';
import { type StreamFeed, startStream } from '../../local/stream/stream.ts';
import { newFolder } from '../support/folder.ts';
import { local } from '../support/local-calls.ts';

const tableName = 'followed';
let folder: string;
let engine: Engine;
let client: DynamoDBClient;
let feeds: StreamFeed[] = [];

beforeEach(async () => {
  folder = newFolder(onTestFinished);
  await open();
  await createTable(client, tableName);
});
afterEach(async () => {
  await Promise.all(feeds.map(({ stop }) => stop()));
  feeds = [];
  await shut();
});

async function open() {
  engine = await startEngine(folder);
  client = new DynamoDBClient({ endpoint: engine.endpoint, ...local });
}

async function shut() {
  client.destroy();
  await engine.close();
}

const add = (name: string) =>
  client.send(
    new PutItemCommand({
      TableName: tableName,
      Item: { pk: { S: name }, sk: { S: 'MEMBER#1' }, project_id: { S: 'demo' } },
    }),
  );
const nameOf = (record: DynamoDBRecord) => record.dynamodb?.Keys?.['pk']?.S ?? '';

/** Follows the stream and records the received items. `works`: whether the queues process the forwarded messages. */
async function follow(works = () => true) {
  const given: string[] = [];
  const handler: Handler = async ({ Records }: DynamoDBStreamEvent) => {
    given.push(...Records.map(nameOf));
  };
  const queues = {
    waiting: () => (works() ? 0 : 1),
    workedOff: () => (works() ? Promise.resolve(true) : new Promise<never>(() => {})),
  };
  const { endpoint } = engine;
  const options = { endpoint, client, tableName, handler, queues, interval: 10, durable: true };
  const feed = await startStream(options);
  return { given, feed };
}

/** Follows until everything is processed, then closes. */
async function followOnce() {
  const { given, feed } = await follow();
  await feed.drained();
  await feed.stop();
  return given;
}

test('continues after a restart where it stopped', async () => {
  await add('a');
  expect(await followOnce()).toEqual(['a']);
  await add('b');
  expect(await followOnce()).toEqual(['b']);
  expect(await followOnce()).toEqual([]);
});

test('after a kill, records in progress come again, and none is left out', async () => {
  for (const name of ['a', 'b']) await add(name);
  let works = true;
  // Never closed, as if it were killed, so the stored position was written while it ran.
  const killed = await follow(() => works);
  await killed.feed.drained();
  works = false;
  await add('c');
  await expect.poll(() => killed.given, { timeout: 20_000 }).toEqual(['a', 'b', 'c']);
  // The queues work again, but the message in progress never completes.
  works = true;
  await add('d');
  await expect.poll(() => killed.given, { timeout: 20_000 }).toHaveLength(4);
  expect(await followOnce()).toEqual(['c', 'd']);
});

test('a table that is created again has a new stream, without a stored position', async () => {
  const arnOf = async () =>
    (await client.send(new DescribeTableCommand({ TableName: tableName }))).Table?.LatestStreamArn;
  const before = await positionsIn(client, (await arnOf()) ?? '');
  await before.write(new Map([['shard', '7']]));
  expect(await before.read()).toEqual(new Map([['shard', '7']]));
  await client.send(new DeleteTableCommand({ TableName: tableName }));
  await createTable(client, tableName);
  const after = await positionsIn(client, (await arnOf()) ?? '');
  expect(await after.read()).toEqual(new Map());
});

test('a restored database contains the position of its own time', async () => {
  await add('a');
  await followOnce();
  await shut();
  const copy = `${folder}-copy`;
  await cp(folder, copy, { recursive: true });
  await open();
  for (const name of ['b', 'c', 'd']) await add(name);
  await followOnce();
  await shut();
  await rm(folder, { recursive: true });
  await cp(copy, folder, { recursive: true });
  await rm(copy, { recursive: true });
  await open();
  await add('e');
  expect(await followOnce()).toEqual(['e']);
});
