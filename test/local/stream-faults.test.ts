/** @module-tag proof */
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTable } from '../../local/engine/table.ts';
import { startStream } from '../../local/stream/stream.ts';
import { catalogue } from '../faults/catalogue.ts';
import { answer } from '../faults/fault.ts';
import { ownEngine } from '../faults/nemesis.ts';
import { startProxy } from '../faults/proxy.ts';
import { local } from '../support/local-calls.ts';

const tableName = 'followed';
const engine = await ownEngine();
const proxy = await startProxy({ engine: () => engine.endpoint });
const client = new DynamoDBClient({ endpoint: engine.endpoint, ...local });
beforeAll(() => createTable(client, tableName));
afterAll(async () => {
  client.destroy();
  await proxy.close();
  await engine.close();
});

let items = 0;
const add = async () => {
  items += 1;
  const Item = { pk: { S: `${items}` }, sk: { S: 'MEMBER#1' }, project_id: { S: 'demo' } };
  await client.send(new PutItemCommand({ TableName: tableName, Item }));
};

/** The calls that follow a stream, and the possible faults of each. */
const places = ['DescribeStream', 'GetShardIterator', 'GetRecords'].flatMap((operation) =>
  catalogue
    .filter(({ fits }) => fits({ operation, body: {}, text: '', lane: undefined }))
    .map(({ name, fault }) => ({ operation, name, fault })),
);

test('the faults cover a hang, a reset and a truncated response of every call to the stream', () => {
  for (const operation of ['DescribeStream', 'GetShardIterator', 'GetRecords'])
    expect(places.filter((each) => each.operation === operation).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['hang before', 'hang after', 'reset before', 'truncated answer']),
    );
});

test.each(places)('$operation: $name: no record is lost', async ({ operation, fault }) => {
  let faults = 0;
  // Twice in a row, then no longer.
  proxy.choose((call) => (call.operation === operation && (faults += 1) <= 2 ? fault : undefined));
  const given: string[] = [];
  const errors: unknown[] = [];
  const feed = await startStream({
    endpoint: proxy.url,
    client,
    tableName,
    timeout: 300,
    interval: 10,
    longestPause: 50,
    handler: async ({ Records }: DynamoDBStreamEvent) => {
      given.push(...Records.map(({ dynamodb }) => dynamodb?.Keys?.['pk']?.S ?? ''));
    },
    onError: (error) => errors.push(error),
  });
  await add();
  await feed.drained();
  await feed.stop();
  expect(faults).toBeGreaterThan(1);
  expect(errors).toHaveLength(2);
  expect(given).toEqual(Array.from({ length: items }, (_, i) => `${i + 1}`));
});

test('a change announced during a read that does not contain it is read next, without a further trigger', async () => {
  let announced = false;
  const last = `${items + 1}`;
  proxy.choose(({ operation }) => {
    if (operation !== 'GetRecords') return undefined;
    return async ({ forward, response }) => {
      const answered = await forward();
      const { Records } = JSON.parse(answered.text) as { Records: unknown[] };
      if (Records.length === 0 && !announced) {
        announced = true;
        await add();
        (await following).announce();
      }
      answer(response, answered);
    };
  });
  const given: string[] = [];
  const following = startStream({
    endpoint: proxy.url,
    client,
    tableName,
    interval: 1,
    idleInterval: 2 ** 31 - 1,
    handler: async ({ Records }: DynamoDBStreamEvent) => {
      given.push(...Records.map(({ dynamodb }) => dynamodb?.Keys?.['pk']?.S ?? ''));
    },
  });
  const feed = await following;
  await expect.poll(() => given, { timeout: 20_000 }).toContain(last);
  await feed.stop();
});

test('stops immediately while a call hangs', async () => {
  proxy.choose(() => () => Promise.resolve());
  const options = { endpoint: proxy.url, client, tableName };
  const feed = await startStream({ ...options, timeout: 600_000, handler: async () => {} });
  expect(await feed.stop()).toBeUndefined();
});
