import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { changesPrefix } from '../../shared/db/key-prefixes.ts';
import { type Key, keys } from '../../shared/db/keys.ts';
import { rates } from '../../shared/model/rates.ts';
import { exchange } from './call.ts';
import type { Database } from './database.ts';

type Item = Record<string, unknown>;
type Attributes = Record<string, AttributeValue>;
type Page = { Items?: Attributes[]; LastEvaluatedKey?: Attributes };

/** Sends a call in the engine's JSON, with bytes in base64. */
export type Ask = <Output>(operation: string, input: object) => Promise<Output>;

/** An item in the engine's request format, with bytes in base64. */
const toAttributes = (item: object): Attributes =>
  Object.fromEntries(
    Object.entries(marshall(item, { removeUndefinedValues: true })).map(([name, value]) => [
      name,
      value.B === undefined
        ? value
        : ({ B: Buffer.from(value.B).toString('base64') } as unknown as AttributeValue),
    ]),
  );

/** Parses an item of the engine, which has bytes in base64. */
const toItem = (attributes: Attributes): Item =>
  unmarshall(
    Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [
        name,
        value.B === undefined ? value : { B: Buffer.from(String(value.B), 'base64') },
      ]),
    ),
  );

/** Direct access to the items of a table, for states that a test cannot read or create through the service. */
export function rawTable({ endpoint, accessKeyId }: Database, TableName: string) {
  const client = new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId, secretAccessKey: 'local' },
  });
  // The logger visits every attribute, and nothing uses its output.
  client.middlewareStack.remove('loggerMiddleware');
  const ask = engineCaller(endpoint, accessKeyId);
  const get = async (key: Key): Promise<Item | undefined> => {
    const input = { TableName, Key: toAttributes(key), ConsistentRead: true };
    const { Item: item } = await ask<{ Item?: Attributes }>('GetItem', input);
    return item && toItem(item);
  };
  const put = async (item: Item): Promise<void> => {
    await ask('PutItem', { TableName, Item: toAttributes(item) });
  };
  /** Reads every page of a query or scan, a megabyte each. */
  const readAll = async (operation: 'Query' | 'Scan', input: object): Promise<Attributes[]> => {
    const items: Attributes[] = [];
    let ExclusiveStartKey: Attributes | undefined;
    do {
      const asked = { TableName, ConsistentRead: true, ...input, ExclusiveStartKey };
      const page = await ask<Page>(operation, asked);
      items.push(...(page.Items ?? []));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    return items;
  };
  const remove = async (key: Key): Promise<void> => {
    await ask('DeleteItem', { TableName, Key: toAttributes(key) });
  };
  /** All items except counters of user changes. */
  const scan = async () => (await readAll('Scan', {})).filter((item) => !countsChanges(item));
  return {
    name: TableName,
    client,
    ask,
    get,
    put,
    /** Puts many items, 25 at a time. */
    async putAll(items: readonly Item[]): Promise<void> {
      const batches = Array.from({ length: Math.ceil(items.length / 25) }, (_, i) =>
        items
          .slice(i * 25, (i + 1) * 25)
          .map((item) => ({ PutRequest: { Item: toAttributes(item) } })),
      );
      const work = batches.values();
      const writer = async () => {
        for (const batch of work)
          await ask('BatchWriteItem', { RequestItems: { [TableName]: batch } });
      };
      await Promise.all(Array.from({ length: 8 }, writer));
    },
    /** Sets attributes of an existing item; undefined removes one. */
    async update(key: Key, changes: Item): Promise<void> {
      const item = await get(key);
      if (!item) throw new Error(`There is no item ${JSON.stringify(key)}.`);
      await put({ ...item, ...changes });
    },
    delete: remove,
    /** Resets the rate limit on changes by a user, for tests that change more than a person would. */
    forgetChanges: (uid: string): Promise<void> =>
      remove(keys.changeRate(uid, Math.floor(Date.now() / 1_000 / rates.changesByOne.seconds))),
    /** Every item of a partition, or those whose sort key begins with `prefix`. */
    async query(pk: string, prefix = ''): Promise<Item[]> {
      const found = await readAll('Query', {
        KeyConditionExpression: `pk = :pk${prefix && ' AND begins_with(sk, :prefix)'}`,
        ExpressionAttributeValues: toAttributes({
          ':pk': pk,
          ...(prefix && { ':prefix': prefix }),
        }),
      });
      return found.map(toItem);
    },
    /** The items with an attribute value, by a filter expression, which is far faster than reading all items. */
    async having(attribute: string, value: unknown): Promise<Item[]> {
      const found = await readAll('Scan', {
        FilterExpression: '#attribute = :value',
        ExpressionAttributeNames: { '#attribute': attribute },
        ExpressionAttributeValues: toAttributes({ ':value': value }),
      });
      return found.map(toItem);
    },
    /** Every item of the table. */
    all: async (): Promise<Item[]> => (await scan()).map(toItem),
    /** The same in the engine's format, which makes comparing whole tables three times as fast. */
    allAttributes: scan,
  };
}

/**
 * Whether an item counts the changes of a user. It counts some in advance, whether or not they succeed, so tests of
 * changes ignore it.
 */
const countsChanges = ({ pk }: Attributes): boolean => pk?.S?.startsWith(changesPrefix) === true;

/**
 * Calls an engine in its JSON format. The SDK takes six times the CPU time per page, and tests read whole tables. A
 * local engine requires the access key but verifies no signature.
 */
function engineCaller(endpoint: string, accessKeyId: string): Ask {
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0`;
  return async function ask<Output>(operation: string, input: object, tries = 4): Promise<Output> {
    const body = JSON.stringify(input);
    const response = await exchange(
      endpoint,
      'POST',
      {
        'content-type': 'application/x-amz-json-1.0',
        'content-length': String(Buffer.byteLength(body)),
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        'x-amz-date': '20260101T000000Z',
        authorization,
      },
      body,
    );
    const text = await textOf(response);
    const { statusCode = 0 } = response;
    if (statusCode < 300) return JSON.parse(text) as Output;
    if (statusCode < 500 || tries === 1) throw new Error(`${operation}: ${statusCode} ${text}`);
    await sleep(100);
    return ask(operation, input, tries - 1);
  };
}
