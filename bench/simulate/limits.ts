import { readFileSync } from 'node:fs';
import { changesQueue, tableStream } from '../../lib/domains/events.ts';
import { times } from '../../shared/model/limits.ts';
import { throttle } from '../../shared/model/throttle.ts';

/** Documented limits of AWS, with the defaults of an account. */
export const aws = {
  /** Units a second that one partition of a table or an index serves. */
  partition: { write: 1_000, read: 3_000 },
  /** Seconds of unused units that a partition may spend later. AWS promises neither amount nor availability. */
  burstSeconds: 300,
  /** A new on-demand table serves 4,000 write and 12,000 read units a second. */
  newTablePartitions: 4,
  /** Units a second of one on-demand table, and of each of its indexes. A quota that AWS raises on request. */
  tableQuota: 40_000,
  /** Concurrent functions of the account, and how many instances a function gains in how many seconds. */
  lambda: { concurrency: 1_000, scaling: { instances: 1_000, seconds: 10 } },
  /** Milliseconds between Lambda's polls of a shard of the stream, during which records accumulate. */
  poll: 250,
  /** Requests a second of all HTTP APIs of the account and region. */
  requests: 10_000,
} as const;

/** Estimates in milliseconds, because nothing was measured in AWS. `put` is the 5 ms of docs/evidence/table.md. */
export const latencies = {
  read: 4,
  put: 5,
  /** Also the time in which an item of a transaction conflicts with another transaction. */
  transaction: 10,
  publish: 10,
  /** From the queue to the start of the function, and back to the deletion of the message. */
  queue: 15,
  /** One invocation of stream.sort: it sends to the queues once or twice. */
  sort: 25,
  /** CPU time of a request at the 0.58 CPU of 1,024 MB, and of the Argon2 hash of a password. */
  compute: 3,
  password: 40,
} as const;

/** Estimates of behaviour that AWS does not document. */
export const estimates = {
  /** Seconds of load above this part of a partition's limit after which it is split. */
  splitAfter: 300,
  splitAt: 0.8,
  /** Part of its limit that a partition may exceed in one second out of its burst capacity. */
  burstRate: 1,
  /** Seconds that an unused instance of a function stays warm. */
  warm: 600,
} as const;

/** Parameters of the account or the code that a simulation may change. */
export type Setup = {
  /** Messages of one group that one invocation of stream.consume takes, and records together. */
  messages: number;
  /** Parts of a project's feed, each with its own message group and head. */
  feedShards: number;
  /** Concurrent invocations of stream.consume. */
  consumers: number;
  /** Units a second of the table and of each index: `aws.tableQuota`. */
  tableQuota: number;
};

/** The deadline of a request in seconds; a request that waits longer fails. */
export const deadline = times.request / 1_000;

const sourceOf = (file: string): string =>
  readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** Reads an unexported number from a module's source. Throws if it is missing. */
function numberIn(file: string, pattern: RegExp): number {
  const found = pattern.exec(sourceOf(file))?.[1];
  if (found === undefined) throw new Error(`${file} has no ${pattern.source}`);
  return Number(found.replaceAll('_', ''));
}

/** The settings of the deployment that bound its throughput. */
export const deployed = {
  routeRate: throttle.rate,
  sortBatch: tableStream.batchSize,
  sortsPerShard: numberIn('lib/stream-sources.ts', /parallelizationFactor: (\d+)/),
  consumers: changesQueue.concurrency,
  /** Messages that one invocation of stream.consume takes. */
  messages: changesQueue.batchSize,
  recordsOfMessage: numberIn('shared/events/queue-sort.ts', /maxRecords = \{ elements: (\d+)/),
  eventsOfTransaction: numberIn('shared/events/record.ts', /maxEvents = \{ elements: (\d+)/),
  /** Changes of a message whose consequences are processed in parallel. */
  sideBySide: numberIn('functions/stream/consume.ts', /sideBySide = (\d+)/),
} as const;

export const asDeployed: Setup = {
  messages: deployed.messages,
  feedShards: 1,
  consumers: deployed.consumers,
  tableQuota: aws.tableQuota,
};
