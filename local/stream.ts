import { type DynamoDBClient, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import {
  type _Record,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FedFunction, feeds } from '../lib/feeds.ts';
import { matches } from './filter.ts';
import { type Handler, invoke, timeouts } from './lambda.ts';

export type StreamFeed = {
  /**
   * Resolves when every change made before the call, and whatever followed from it, has been consumed; with whether
   * the function was called at all since the drain before.
   */
  drained(): Promise<boolean>;
  /** Ends after the invocation under way. */
  stop(): Promise<void>;
};

export type StreamOptions = {
  /** The function that is fed, by the filters, batches and tries that the stack gives it. */
  name: FedFunction;
  endpoint: string;
  client: DynamoDBClient;
  tableName: string;
  handler: Handler;
  /** Milliseconds between two looks at an idle stream. */
  interval?: number;
  /** The longest wait before a failed record is tried again, in milliseconds. */
  longestPause?: number;
  onError?: (error: unknown) => void;
};

type Shard = {
  id: string;
  iterator?: string | undefined;
  last?: string | undefined;
  done: boolean;
};
type StreamRecord = ReturnType<typeof toLambdaRecord>;

/** As many at a look mean that more wait. */
const manyRecords = 100;

/**
 * Feeds a function from the table's stream as Lambda's event source does: from the oldest record, in order, in
 * batches, and again from the first failed record, with back-off, until it succeeds or is given up. Unlike there, what
 * is given up goes to `onError` and to no queue, and no record is too old.
 */
export async function startStream(options: StreamOptions): Promise<StreamFeed> {
  const { region, credentials } = options.client.config;
  const streams = new DynamoDBStreamsClient({ endpoint: options.endpoint, region, credentials });
  const { Table } = await options.client.send(
    new DescribeTableCommand({ TableName: options.tableName }),
  );
  const streamArn = Table?.LatestStreamArn ?? '';
  const stopped = new AbortController();
  const waiting: (() => void)[] = [];
  let wake = () => {};
  let reported = 0;

  const feed = new Feed(streams, streamArn, stopped.signal, options);
  const loop = async () => {
    while (!stopped.signal.aborted) {
      const due = waiting.splice(0);
      const moved = await feed.pass().catch(async (error: unknown) => {
        if (!stopped.signal.aborted) options.onError?.(error);
        await pause(1000, stopped.signal);
        return true;
      });
      if (moved) waiting.push(...due);
      else for (const resolve of due) resolve();
      // Nobody waits: what follows one by one is looked for at intervals, not as fast as the engine can tell.
      if (waiting.length > 0 || stopped.signal.aborted) continue;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const timer = setTimeout(resolve, options.interval ?? 100);
      await promise;
      clearTimeout(timer);
    }
    for (const resolve of waiting) resolve();
  };
  const running = loop();

  return {
    async drained() {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      wake();
      await promise;
      const called = feed.invocations > reported;
      reported = feed.invocations;
      return called;
    },
    async stop() {
      stopped.abort();
      wake();
      await running;
      streams.destroy();
    },
  };
}

class Feed {
  invocations = 0;
  private shards: Shard[] = [];
  private readonly streams: DynamoDBStreamsClient;
  private readonly arn: string;
  private readonly stopped: AbortSignal;
  private readonly options: StreamOptions;

  constructor(
    streams: DynamoDBStreamsClient,
    arn: string,
    stopped: AbortSignal,
    options: StreamOptions,
  ) {
    this.streams = streams;
    this.arn = arn;
    this.stopped = stopped;
    this.options = options;
  }

  /** Consumes what there is, up to a page that is not full; parents before their children. Answers whether there was anything. */
  async pass(): Promise<boolean> {
    if (this.shards.every(({ done }) => done)) await this.findShards();
    let moved = false;
    for (const shard of this.shards) {
      while (!shard.done && !this.stopped.aborted) {
        const records = await this.read(shard);
        if (records.length === 0) break;
        moved = true;
        const { filters, batchSize } = feeds[this.options.name];
        const wanted = records.filter((record) => filters.some((each) => matches(each, record)));
        for (let i = 0; i < wanted.length; i += batchSize) {
          await this.deliver(wanted.slice(i, i + batchSize));
        }
        shard.last = records.at(-1)?.dynamodb.SequenceNumber;
        // Its children come after its end, which a short page need not be.
        if (records.length < manyRecords && !shard.done) return true;
      }
    }
    return moved;
  }

  private async findShards(): Promise<void> {
    const known = new Set(this.shards.map(({ id }) => id));
    let ExclusiveStartShardId: string | undefined;
    do {
      const { StreamDescription } = await this.streams.send(
        new DescribeStreamCommand({ StreamArn: this.arn, ExclusiveStartShardId }),
      );
      for (const { ShardId: id = '' } of StreamDescription?.Shards ?? []) {
        if (!known.has(id)) this.shards.push({ id, done: false });
      }
      ExclusiveStartShardId = StreamDescription?.LastEvaluatedShardId;
    } while (ExclusiveStartShardId);
  }

  /** The next records of a shard. One without a next iterator is closed; its end says nothing, dynoxide sets it always. */
  private async read(shard: Shard): Promise<StreamRecord[]> {
    try {
      shard.iterator ??= await this.iteratorOf(shard);
      const { Records = [], NextShardIterator } = await this.streams.send(
        new GetRecordsCommand({ ShardIterator: shard.iterator }),
      );
      shard.iterator = NextShardIterator;
      // A closed shard that still had records is done once these are delivered: nothing is after them.
      shard.done = NextShardIterator === undefined;
      return Records.map((record) => toLambdaRecord(record, this.arn));
    } catch (error) {
      const name = error instanceof Error ? error.name : '';
      const lost = name === 'TrimmedDataAccessException';
      if (!lost && name !== 'ExpiredIteratorException') throw error;
      shard.iterator = undefined;
      if (lost) shard.last = undefined;
      return this.read(shard);
    }
  }

  private async iteratorOf({ id, last }: Shard): Promise<string | undefined> {
    const { ShardIterator } = await this.streams.send(
      new GetShardIteratorCommand({
        StreamArn: this.arn,
        ShardId: id,
        ShardIteratorType: last === undefined ? 'TRIM_HORIZON' : 'AFTER_SEQUENCE_NUMBER',
        SequenceNumber: last,
      }),
    );
    return ShardIterator;
  }

  /** Invokes the function until it has taken every record or given one up. */
  private async deliver(batch: StreamRecord[]): Promise<void> {
    const { name, longestPause = 5_000, onError } = this.options;
    const { retries } = feeds[name];
    const attempts = retries < 0 ? Number.POSITIVE_INFINITY : retries + 1;
    let records = batch;
    for (let attempt = 1; records.length > 0 && !this.stopped.aborted; attempt += 1) {
      const failed = await this.invoke(records);
      const left = records.slice(failed);
      if (left.length < records.length) attempt = 1;
      records = left;
      if (records.length === 0) return;
      if (attempt >= attempts) {
        onError?.(new Error(`Record ${records[0]?.eventID} was given up.`));
        records = records.slice(1);
        attempt = 0;
      }
      await pause(Math.min(longestPause, 25 * 2 ** attempt), this.stopped);
    }
  }

  /** How many records, from the first, the function has taken. */
  private async invoke(Records: StreamRecord[]): Promise<number> {
    this.invocations += 1;
    try {
      const { name, handler } = this.options;
      const result = await invoke(name, handler, { Records }, timeouts[name]);
      const failures = (result as { batchItemFailures?: { itemIdentifier: string }[] } | null)
        ?.batchItemFailures;
      if (!failures?.length) return Records.length;
      // Lambda begins again at the first of them; an identifier that it does not know fails the whole batch.
      const places = failures.map(({ itemIdentifier }) =>
        Records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === itemIdentifier),
      );
      return Math.max(0, Math.min(...places));
    } catch (error) {
      this.options.onError?.(error);
      return 0;
    }
  }
}

/** A record as Lambda's event carries it: times are seconds, bytes are base64. */
function toLambdaRecord(record: _Record, eventSourceARN: string) {
  const { ApproximateCreationDateTime, ...dynamodb } = record.dynamodb ?? {};
  const { PrincipalId: principalId, Type: type } = record.userIdentity ?? {};
  const seconds = Math.floor((ApproximateCreationDateTime?.getTime() ?? Date.now()) / 1000);
  return {
    ...record,
    ...(record.userIdentity && { userIdentity: { principalId, type } }),
    eventSourceARN,
    dynamodb: {
      ...(withoutBytes(dynamodb) as typeof dynamodb),
      ApproximateCreationDateTime: seconds,
    },
  };
}

function withoutBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, withoutBytes(part)]),
  );
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}
