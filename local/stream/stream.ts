import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { tableStream } from '../../lib/domains/events.ts';
import { matches } from '../aws/filter.ts';
import { type Handler, invoke, PayloadTooLarge } from '../aws/lambda.ts';
import type { Queues } from '../aws/sqs.ts';
import { positionsIn } from './position.ts';
import { Progress } from './progress.ts';
import { StreamReader, type StreamRecord } from './stream-reader.ts';

export type StreamFeed = {
  /**
   * Resolves when every earlier change, and everything that followed from it through the queues, has been processed;
   * with whether the function was invoked since the previous drain.
   */
  drained(): Promise<boolean>;
  /** Announces that the table may have changed, so that an idle stream is read at once. */
  announce(): void;
  /** Stops after the invocations in progress. */
  stop(): Promise<void>;
};

export type StreamOptions = {
  endpoint: string;
  client: DynamoDBClient;
  tableName: string;
  /** `stream.sort`, or a replacement. */
  handler: Handler;
  /** The queues to which the function sends its changes. */
  queues?: Pick<Queues, 'workedOff' | 'waiting'>;
  /** Milliseconds between two reads. */
  interval?: number;
  /** Milliseconds after a read without records, unless a change is announced; by default as between any two reads. */
  idleInterval?: number;
  /** Maximum milliseconds before a failed record or read is retried. */
  longestPause?: number;
  /** Timeout of one call to the stream in milliseconds. */
  timeout?: number;
  /** Continues where another process with the same database stopped, even if it was killed. */
  durable?: boolean;
  onError?: (error: unknown) => void;
};

/** Maximum waiting messages before reading pauses, because the queues are in memory. */
const maxWaiting = 50_000;
const noQueues: NonNullable<StreamOptions['queues']> = {
  workedOff: () => Promise.resolve(true),
  waiting: () => 0,
};

/**
 * Invokes a function with the table's stream like Lambda's event source: from the oldest record, in order, in batches
 * of records that match its filters, and again from the first failed record, with back-off, until it succeeds. Unlike
 * Lambda, no record is too old.
 */
export async function startStream(options: StreamOptions): Promise<StreamFeed> {
  const { endpoint, client, timeout = 5_000, longestPause = 5_000, queues = noQueues } = options;
  const { interval = 100, idleInterval = interval } = options;
  const { Table } = await client.send(new DescribeTableCommand({ TableName: options.tableName }));
  const arn = Table?.LatestStreamArn ?? '';
  const positions = options.durable ? await positionsIn(client, arn) : undefined;
  const progress = new Progress((await positions?.read()) ?? new Map());
  const stopping = new AbortController();
  const stopped = stopping.signal;
  const { done } = progress;
  const { config } = client;
  const reader = new StreamReader({ endpoint, config, arn, timeout, stopped, done });
  const consumer = new Consumer(stopped, options);
  const waiting: (() => void)[] = [];
  let wake = () => {};
  let [idle, announced] = [false, false];
  let reported = 0;
  let written = 0;

  /** Delivers the available records. Returns whether there were any. */
  async function pass(): Promise<boolean> {
    let moved = false;
    for await (const { shard, records, last } of reader.pages()) {
      moved = true;
      const ended = progress.begin(shard, last);
      const matchingRecords = records.filter((record) =>
        tableStream.filters.some((each) => matches(each, record)),
      );
      for (let i = 0; i < matchingRecords.length; i += tableStream.batchSize) {
        await consumer.deliver(matchingRecords.slice(i, i + tableStream.batchSize));
        while (queues.waiting() > maxWaiting && !stopped.aborted) await pause(10, stopped);
      }
      // Records not processed because of the stop are left to the next process.
      if (stopped.aborted) break;
      // The queues are in memory, so records count as done only when their messages are processed.
      void queues.workedOff().then((all) => {
        if (!all) return;
        ended();
        announce();
      });
      await savePosition();
    }
    return moved;
  }

  /** Under load, changes are read together at intervals, so only an idle stream is read at once. */
  function announce(): void {
    announced = true;
    if (idle) wake();
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
      const quiet = queues.waiting() === 0;
      const wasAnnounced = announced;
      announced = false;
      idle = false;
      try {
        idle = !(await pass());
        await savePosition();
        failures = 0;
        if (idle && quiet) for (const resolve of due.splice(0)) resolve();
      } catch (error) {
        idle = false;
        if (!stopped.aborted) options.onError?.(error);
        await pause(Math.min(longestPause, 25 * 2 ** failures), stopped);
        failures += 1;
      }
      waiting.push(...due);
      if (stopped.aborted) break;
      // Nobody is waiting, so the stream is read at intervals, not as fast as the engine responds.
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      // A change announced during the read may have been too late for it. For a change announced before the read, the
      // stream is read once more soon: it may show a record a moment after the write's response.
      if (idle && announced) resolve();
      if (waiting.length > 0) void queues.workedOff().then(() => resolve());
      const timer = setTimeout(resolve, idle && !wasAnnounced ? idleInterval : interval);
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
    announce,
    async stop() {
      stopping.abort();
      wake();
      await running;
      await savePosition().catch(options.onError);
    },
  };
}

class Consumer {
  invocations = 0;
  private readonly stopped: AbortSignal;
  private readonly options: StreamOptions;

  constructor(stopped: AbortSignal, options: StreamOptions) {
    this.stopped = stopped;
    this.options = options;
  }

  /** Invokes the function until it has processed every record, or the feed stops. */
  async deliver(batch: StreamRecord[]): Promise<void> {
    const { longestPause = 5_000 } = this.options;
    let records = batch;
    for (let attempt = 1; !this.stopped.aborted; attempt += 1) {
      const left = records.slice(await this.invoke(records));
      if (left.length === 0) return;
      if (left.length < records.length) attempt = 1;
      records = left;
      await pause(Math.min(longestPause, 25 * 2 ** attempt), this.stopped);
    }
  }

  /** Returns how many records, from the first, the function has processed. */
  private async invoke(Records: StreamRecord[]): Promise<number> {
    this.invocations += 1;
    try {
      const result = await invoke('stream.sort', this.options.handler, { Records });
      const failures = (result as { batchItemFailures?: { itemIdentifier: string }[] } | null)
        ?.batchItemFailures;
      if (!failures?.length) return Records.length;
      // Lambda restarts at the first failed record; an unknown identifier fails the whole batch.
      const places = failures.map(({ itemIdentifier }) =>
        Records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === itemIdentifier),
      );
      return Math.max(0, Math.min(...places));
    } catch (error) {
      // Lambda passes on only as many records as an event has room for.
      if (error instanceof PayloadTooLarge && error.what === 'event' && Records.length > 1)
        return this.invoke(Records.slice(0, Math.ceil(Records.length / 2)));
      this.options.onError?.(error);
      return 0;
    }
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}
