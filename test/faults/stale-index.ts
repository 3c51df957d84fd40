import { Agent, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { tableSchema } from '../../shared/db/table-schema.ts';
import type { Answered, Call } from './fault.ts';
import { ownEngine } from './nemesis.ts';
import { randomOf } from './random.ts';
import { send } from './wire.ts';

type Attributes = Record<string, { S?: string }>;
type Record_ = {
  dynamodb: {
    Keys: Attributes;
    NewImage?: Attributes;
    OldImage?: Attributes;
    SequenceNumber: string;
  };
};
type Change = { key: string; keys: Attributes; image: Attributes | undefined; due: number };
type Headers = Pick<IncomingMessage, 'headers'>;

/** Milliseconds between two polls for changes; a change may appear this much later than planned. */
const interval = 20;
/**
 * If a poll returns this many records, more are waiting. Polling for each change would cost the engine as much as the
 * changes.
 */
const manyRecords = 100;
const indexKeys = Object.values(tableSchema.indexes).map(({ partitionKey }) => partitionKey);
const streams = 'DynamoDBStreams_20120810';
const database = 'DynamoDB_20120810';

export type StaleIndex = {
  answers(call: Call): boolean;
  answer(headers: Headers, body: unknown): Promise<Answered>;
  /** Copies a table, starting at its creation. */
  create(headers: Headers, call: Call): Promise<void>;
  /** Resolves when every earlier change is visible and no write has happened for a moment. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Runs a second engine that gets every change of an indexed item 50 to 450 ms late, and answers index queries from it.
 * The changes come from the first engine's stream, so only applied changes arrive, in order. Each has its own delay by
 * the seed: changes of different items may be reordered, as in DynamoDB, but not those of one item.
 */
export async function startStaleIndex(options: {
  engine: () => string;
  seed: number;
}): Promise<StaleIndex> {
  const { engine, seed } = options;
  const random = randomOf(seed);
  const copy = await ownEngine();
  const agent = new Agent({ keepAlive: true });
  const stopped = new AbortController();
  const pending: Change[] = [];
  const lastDue = new Map<string, number>();
  const following: Promise<void>[] = [];
  /** The number of times the stream was read to its end. */
  const ends = { read: 0 };

  const call = async <T>(to: string, { headers }: Headers, target: string, body: object) => {
    const as = { headers: { ...headers, 'x-amz-target': target } };
    const { status, text } = await send(to, agent, as, Buffer.from(JSON.stringify(body)));
    if (status !== 200) throw new Error(`${target}: ${status} ${text}`);
    return JSON.parse(text) as T;
  };

  const follow = async (headers: Headers, TableName: string): Promise<void> => {
    const onBase = <T>(target: string, body: object) => call<T>(engine(), headers, target, body);
    const { Table } = await onBase<{ Table: { LatestStreamArn: string } }>(
      `${database}.DescribeTable`,
      { TableName },
    );
    const StreamArn = Table.LatestStreamArn;
    const { StreamDescription } = await onBase<{
      StreamDescription: { Shards: { ShardId: string }[] };
    }>(`${streams}.DescribeStream`, { StreamArn });
    // The engine has one shard while it runs.
    const ShardId = StreamDescription.Shards[0]?.ShardId;
    let iterator: string | undefined;
    let last: string | undefined;
    const read = async () => {
      iterator ??= (
        await onBase<{ ShardIterator: string }>(`${streams}.GetShardIterator`, {
          StreamArn,
          ShardId,
          ShardIteratorType: last === undefined ? 'TRIM_HORIZON' : 'AFTER_SEQUENCE_NUMBER',
          ...(last !== undefined && { SequenceNumber: last }),
        })
      ).ShardIterator;
      const { Records, NextShardIterator } = await onBase<{
        Records: Record_[];
        NextShardIterator: string;
      }>(`${streams}.GetRecords`, { ShardIterator: iterator, Limit: 1000 });
      iterator = NextShardIterator;
      last = Records.at(-1)?.dynamodb.SequenceNumber ?? last;
      for (const record of Records) note(record);
      return Records.length;
    };
    while (!stopped.signal.aborted) {
      try {
        const count = await read();
        if (count === 0) ends.read += 1;
        await show(headers, TableName);
        if (count > manyRecords) continue;
      } catch (error) {
        if (stopped.signal.aborted) return;
        // The engine is restarting; the position in the stream stays.
        iterator = undefined;
        if (!(error instanceof Error)) throw error;
      }
      await sleep(interval, undefined, { signal: stopped.signal }).catch(() => {});
    }
  };

  const note = ({ dynamodb: { Keys, NewImage, OldImage } }: Record_): void => {
    if (!indexKeys.some((name) => NewImage?.[name] ?? OldImage?.[name])) return;
    const key = JSON.stringify([Keys['pk']?.S, Keys['sk']?.S]);
    const due = Math.max(Date.now() + 50 + random() * 400, lastDue.get(key) ?? 0);
    lastDue.set(key, due);
    pending.push({ key, keys: Keys, image: NewImage, due });
  };

  /** Applies the changes that are due; for each item the latest one. */
  const show = async (headers: Headers, TableName: string): Promise<void> => {
    const now = Date.now();
    const due = pending.filter((change) => change.due <= now);
    if (due.length === 0) return;
    const requests = [...new Map(due.map((change) => [change.key, change])).values()].map(
      ({ keys, image }) =>
        image ? { PutRequest: { Item: image } } : { DeleteRequest: { Key: keys } },
    );
    for (let i = 0; i < requests.length; i += 25) {
      const RequestItems = { [TableName]: requests.slice(i, i + 25) };
      await call(copy.endpoint, headers, `${database}.BatchWriteItem`, { RequestItems });
    }
    const later = pending.filter((change) => change.due > now);
    pending.splice(0, pending.length, ...later);
    for (const { key, due: at } of due) if (lastDue.get(key) === at) lastDue.delete(key);
  };

  return {
    answers: ({ operation, body }) =>
      (operation === 'Query' || operation === 'Scan') && body['IndexName'] !== undefined,
    answer: (headers, body) =>
      send(copy.endpoint, agent, headers, Buffer.from(JSON.stringify(body))),
    async create(headers, { body }) {
      await call(copy.endpoint, headers, `${database}.CreateTable`, body);
      following.push(follow(headers, String(body['TableName'])));
    },
    async caughtUp() {
      // The current read may have started before the last change.
      const next = ends.read + 2;
      while (ends.read < next || pending.length > 0) await sleep(interval);
    },
    async close() {
      stopped.abort();
      await Promise.allSettled(following);
      agent.destroy();
      await copy.close();
    },
  };
}
