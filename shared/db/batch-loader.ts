import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  GetCommand,
  type GetCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { env } from '../model/env.ts';
import { inChunks } from './batch-write.ts';
import { pause, send } from './client.ts';
import { projectionOf } from './expressions.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import { currentRequest } from './request-context.ts';

type Batch = Map<string, { key: Key } & PromiseWithResolvers<Item | undefined>>;

/** DynamoDB's limit of keys in one BatchGetItem. */
const batchLimit = 100;

/**
 * Reads one item with strong consistency. All items that a request asks for in one turn of the event loop are read with
 * one BatchGetItem, so the session check adds no round trip to the handler's first read.
 */
export function getItem<T extends Item>(key: Key): Promise<T | undefined> {
  const request = currentRequest();
  request.reads ??= batchLoader(() => (request.reads = undefined));
  return request.reads<T>(key);
}

/**
 * Reads some attributes of many items with strong consistency. Whole items cost the same units, and twice the time to
 * parse where the other attributes are long.
 *
 * @returns for each key, in order, the item with these attributes; undefined if there is none
 */
export async function getAttributes<T>(
  keys: Key[],
  attributes: readonly string[],
): Promise<(T | undefined)[]> {
  const unique = new Map(keys.map((key) => [nameOf(key), key]));
  const read = await Promise.all(
    inChunks([...unique.values()], batchLimit).map((some) => readKeys(some, attributes)),
  );
  const items = new Map(read.flatMap((some) => [...some]));
  return keys.map((key) => items.get(nameOf(key)) as T | undefined);
}

/** Collects the reads of one turn of the event loop, then sends them. */
function batchLoader(onSend: () => void) {
  const batch: Batch = new Map();
  // After all microtasks of this turn: a promise first, then nextTick, which Node runs after the microtasks.
  void Promise.resolve().then(() =>
    process.nextTick(() => {
      onSend();
      void readBatch(batch);
    }),
  );
  return <T extends Item>(key: Key): Promise<T | undefined> => {
    const name = nameOf(key);
    let entry = batch.get(name);
    if (!entry) {
      entry = { key, ...Promise.withResolvers<Item | undefined>() };
      // The caller awaits the promise; this only keeps an abandoned read from ending the process.
      entry.promise.catch(() => {});
      batch.set(name, entry);
    }
    return entry.promise as Promise<T | undefined>;
  };
}

async function readBatch(batch: Batch): Promise<void> {
  await Promise.all(
    inChunks([...batch.values()], batchLimit).map(async (entries) => {
      try {
        const items = await readKeys(entries.map(({ key }) => key));
        for (const { key, resolve } of entries) resolve(items.get(nameOf(key)));
      } catch (error) {
        for (const { reject } of entries) reject(error);
      }
    }),
  );
}

const nameOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;

async function readKeys(keys: Key[], attributes?: readonly string[]): Promise<Map<string, Item>> {
  const TableName = env.tableName();
  const items = new Map<string, Item>();
  const keep = (found: Record<string, unknown>) => {
    const item = found as Item;
    items.set(nameOf(item), item);
  };
  const projection = attributes && projectionOf(['pk', 'sk', ...attributes]);
  const [Key] = keys;
  if (keys.length === 1 && Key) {
    const { Item } = await send<GetCommandOutput>(
      new GetCommand({ TableName, Key, ConsistentRead: true, ...projection }),
    );
    if (Item) keep(Item);
    return items;
  }
  let request: BatchGetCommandInput['RequestItems'] = {
    [TableName]: { Keys: keys, ConsistentRead: true, ...projection },
  };
  for (let attempt = 0; request; attempt += 1) {
    const answer: BatchGetCommandOutput = await send(
      new BatchGetCommand({ RequestItems: request }),
    );
    for (const item of answer.Responses?.[TableName] ?? []) keep(item);
    // Missing items in a response mean throttling: they are requested again, never left out.
    request = answer.UnprocessedKeys?.[TableName] ? answer.UnprocessedKeys : undefined;
    if (request) await pause(attempt, new Error('BatchGetItem left keys unprocessed'));
  }
  return items;
}
