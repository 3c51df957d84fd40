import { type DynamoDBClient, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FedFunction, feeds } from '../lib/feeds.ts';
import { matches } from './filter.ts';
import { type Handler, invoke, timeouts } from './lambda.ts';
import { Lanes } from './lanes.ts';
import { positionsIn } from './position.ts';
import { Progress } from './progress.ts';
import { StreamReader, type StreamRecord } from './stream-reader.ts';

export type StreamFeed = {
  /**
   * Resolves when every change made before the call, and whatever followed from it, has been consumed; with whether
   * the function was called at all since the drain before.
   */
  drained(): Promise<boolean>;
  /** Ends after the invocations under way. */
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
  /** The longest wait before a failed record, or a look that failed, is tried again, in milliseconds. */
  longestPause?: number;
  /** Milliseconds for one call to the stream. */
  timeout?: number;
  /** Goes on where another process of the same database stopped, even if it was killed. */
  durable?: boolean;
  onError?: (error: unknown) => void;
};

/** Records that were read and wait, beyond which the next are not read yet. */
const most = { waiting: 10_000 };

/**
 * Feeds a function from the table's stream as Lambda's event source does: from the oldest record, in batches, and again
 * from the first failed record, with back-off, until it succeeds or is given up. What is of one project comes in order;
 * projects go side by side. Unlike there, what is given up goes to `onError` and to no queue, and no record is too old.
 */
export async function startStream(options: StreamOptions): Promise<StreamFeed> {
  const { endpoint, client, name, timeout = 5_000, longestPause = 5_000 } = options;
  const { Table } = await client.send(new DescribeTableCommand({ TableName: options.tableName }));
  const arn = Table?.LatestStreamArn ?? '';
  const positions = options.durable ? await positionsIn(client, name, arn) : undefined;
  const progress = new Progress((await positions?.read()) ?? new Map());
  const stopping = new AbortController();
  const stopped = stopping.signal;
  const { done } = progress;
  const { config } = client;
  const reader = new StreamReader({ endpoint, config, arn, timeout, stopped, done });
  const { filters, batchSize } = feeds[name];
  const consumer = new Consumer(stopped, options);
  const lanes = new Lanes<StreamRecord>(batchSize, (batch) => consumer.deliver(batch));
  const waiting: (() => void)[] = [];
  let wake = () => {};
  let reported = 0;
  let written = 0;
  const backlog = { count: 0 };

  /** Hands on what there is. Answers whether there was anything. */
  async function pass(): Promise<boolean> {
    let moved = false;
    for await (const { shard, records, last } of reader.pages()) {
      moved = true;
      const wanted = records.filter((record) => filters.some((each) => matches(each, record)));
      backlog.count += wanted.length;
      const ended = progress.begin(shard, last);
      const all = Promise.all(
        wanted.map((record) =>
          lanes.put(projectOf(record), record).finally(() => {
            backlog.count -= 1;
          }),
        ),
      );
      // What was not taken because this stops is left to whoever goes on.
      void all.then((taken) => taken.every(Boolean) && ended());
      await savePosition();
      while (backlog.count > most.waiting && !stopped.aborted) await pause(10, stopped);
      if (stopped.aborted) break;
    }
    return moved;
  }

  async function savePosition(): Promise<void> {
    if (!positions || written === progress.changes) return;
    const { changes } = progress;
    await positions.write(progress.done);
    written = changes;
  }

  const loop = async () => {
    let failures = 0;
    while (!stopped.aborted) {
      const due = waiting.splice(0);
      const { idle } = lanes;
      try {
        const moved = await pass();
        await savePosition();
        failures = 0;
        if (idle && !moved) for (const resolve of due.splice(0)) resolve();
      } catch (error) {
        if (!stopped.aborted) options.onError?.(error);
        await pause(Math.min(longestPause, 25 * 2 ** failures), stopped);
        failures += 1;
      }
      waiting.push(...due);
      if (stopped.aborted) break;
      // Nobody waits: what follows one by one is looked for at intervals, not as fast as the engine can tell.
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      if (waiting.length > 0) void lanes.rest().then(resolve);
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
      const called = consumer.invocations > reported;
      reported = consumer.invocations;
      return called;
    },
    async stop() {
      stopping.abort();
      wake();
      await running;
      await lanes.rest();
      await savePosition().catch(options.onError);
      reader.close();
    },
  };
}

/** Who waits for a record, and for whom others wait: its project, by either image. */
function projectOf({ dynamodb }: StreamRecord): string {
  const { NewImage, OldImage, Keys } = dynamodb;
  return (NewImage ?? OldImage)?.['project_id']?.S ?? Keys?.['pk']?.S ?? '';
}

class Consumer {
  invocations = 0;
  private readonly stopped: AbortSignal;
  private readonly options: StreamOptions;

  constructor(stopped: AbortSignal, options: StreamOptions) {
    this.stopped = stopped;
    this.options = options;
  }

  /** Invokes the function until it has taken, or given up, every record; answers whether it got so far before the stop. */
  async deliver(batch: StreamRecord[]): Promise<boolean> {
    const { name, longestPause = 5_000, onError } = this.options;
    const { retries } = feeds[name];
    const attempts = retries < 0 ? Number.POSITIVE_INFINITY : retries + 1;
    let records = batch;
    for (let attempt = 1; records.length > 0 && !this.stopped.aborted; attempt += 1) {
      const failed = await this.invoke(records);
      const left = records.slice(failed);
      if (left.length < records.length) attempt = 1;
      records = left;
      if (records.length === 0) return true;
      if (attempt >= attempts) {
        onError?.(new Error(`Record ${records[0]?.eventID} was given up.`));
        records = records.slice(1);
        attempt = 0;
      }
      await pause(Math.min(longestPause, 25 * 2 ** attempt), this.stopped);
    }
    return records.length === 0;
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

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}
