import type { EndpointName, JobName } from '../shared/contract/functions.ts';
import type { QueueName } from '../shared/events/queue-sort.ts';
import type { Grant } from './grant.ts';

/** The allowed values of a record's field, in the form of Lambda event filters. */
export type Rule = string | { prefix: string } | { exists: true };
export type Pattern = { readonly [field: string]: Pattern | readonly Rule[] };

/** How Lambda invokes a function with records of the table's stream. */
export type StreamSource = {
  /** Only records that match one of these; Lambda drops the others free of charge, and allows five filters. */
  filters: readonly Pattern[];
  /** Maximum records of one invocation. */
  batchSize: number;
  /** Seconds for which a record is retried. */
  maxAge: number;
};

/** How Lambda invokes a function with messages of a queue. */
export type QueueSource = {
  queue: QueueName;
  /** Maximum messages of an invocation, at most 10. */
  batchSize: number;
  /** Visibility timeout in seconds; at least the function's timeout, or Lambda rejects the mapping. */
  visibility: number;
  /** Retention of a message in seconds. */
  retention: number;
  /** Maximum concurrency; without it, the work of many projects could take the concurrency that the endpoints need. */
  concurrency: number;
};

/**
 * What invokes a job: the table's stream, a queue, every event on the bus, bounces and complaints of mails, schedules
 * created by functions, or Secrets Manager to rotate the signing key.
 */
export type Source =
  | StreamSource
  | QueueSource
  | 'events'
  | 'mail-feedback'
  | 'schedules'
  | 'key-rotation';

export type JobAlarm = {
  /**
   * `errors`: it failed, timed out or crashed. The others: its input has waited for more than five minutes, where
   * `queue-age` does not count messages that failed several times.
   */
  on: 'errors' | 'stream-age' | 'queue-age';
  id: string;
  description: string;
};

/** A function in the background: no client waits for it, so it has its own size and timeout. */
export type Job = {
  /** In addition to what its sources need: `stream`, `takes` and `asynchronous` follow from them. */
  grant: Omit<Grant, 'stream' | 'takes' | 'asynchronous'>;
  /** MB. 1,769 MB is one vCPU. */
  memory: number;
  /** Seconds. */
  timeout: number;
  /** What invokes it. Empty: only the operator, through IAM. */
  sources: readonly Source[];
  /** Whether it needs the address of the API, as every endpoint does. */
  knowsBaseUrl?: true;
  /** The setting that limits its concurrency. */
  limitedBy?: 'webhookConcurrency';
  alarms?: readonly JobAlarm[];
};

/**
 * The functions of one domain and everything deployed with each: grant, size, event sources and alarms. It is plain
 * data: the stack creates constructs from it, and the local server uses it to enforce grants and to invoke functions.
 */
export type Domain = {
  /** The grant of each endpoint's own work; functions.ts adds what its route needs. */
  endpoints: { readonly [N in EndpointName]?: Grant };
  jobs: { readonly [N in JobName]?: Job };
};
