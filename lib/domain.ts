import type { Operation } from '../shared/contract/api.ts';
import type { BackgroundFunction } from '../shared/contract/functions.ts';
import type { QueueName } from '../shared/events/queue-sort.ts';
import type { Grant } from './access.ts';

/** A function that API Gateway calls. */
export type EndpointName = Operation | 'fallback.notFound';
/** A function that no client calls. */
export type JobName = Exclude<BackgroundFunction, 'fallback.notFound'>;

/** What a field of a record must be, any one of these, as event filters of Lambda say it. */
export type Rule = string | { prefix: string } | { exists: true };
export type Pattern = { readonly [field: string]: Pattern | readonly Rule[] };

/** How Lambda feeds a function from the table's stream. */
export type StreamSource = {
  /** Only records that match one of these; Lambda drops the others at no charge, and takes five. */
  filters: readonly Pattern[];
  /** Records of one invocation, at most. */
  batchSize: number;
  /** Seconds for which a record is tried. */
  maxAge: number;
};

/** How Lambda feeds a function from a queue. */
export type QueueSource = {
  queue: QueueName;
  /** Seconds for which a message is hidden once it was taken; the function's time at least, or Lambda refuses. */
  visibility: number;
  /** Seconds for which a message waits, at most. */
  retention: number;
  /** How many run at once, at most: else the work of many projects could take what the endpoints need. */
  concurrency: number;
};

/**
 * What invokes a job: the table's stream, a queue, every event on the bus, bounces and complaints of mails, schedules
 * that functions make, or Secrets Manager for the rotation of the signing key.
 */
export type Source =
  | StreamSource
  | QueueSource
  | 'events'
  | 'mail-feedback'
  | 'schedules'
  | 'key-rotation';

export type JobAlarm = {
  /** `errors`: it failed, timed out or crashed. The others: what feeds it has waited for more than five minutes. */
  on: 'errors' | 'stream-age' | 'queue-age';
  id: string;
  description: string;
};

/** A function in the background: nobody waits for it, so it has a size and a time of its own. */
export type Job = {
  /** Beside what its sources need: `stream`, `takes` and `asynchronous` follow from them. */
  grant: Omit<Grant, 'stream' | 'takes' | 'asynchronous'>;
  /** MB. 1,769 MB is one vCPU. */
  memory: number;
  /** Seconds. */
  timeout: number;
  /** What invokes it. None: only the operator, by IAM. */
  sources: readonly Source[];
  /** Whether it knows the address of the API, as every endpoint does. */
  knowsBaseUrl?: true;
  /** The setting of the stage that limits how many run at once. */
  limitedBy?: 'webhookConcurrency';
  alarms?: readonly JobAlarm[];
};

/**
 * The functions of one domain, and all that is deployed with each: its grant, its size, what invokes it, and its alarms.
 * It is plain data: the stack makes constructs of it, and the local server enforces and feeds by it.
 */
export type Domain = {
  /** What each endpoint does by itself; what its route does for all of its kind is added (functions.ts). */
  endpoints: { readonly [N in EndpointName]?: Grant };
  jobs: { readonly [N in JobName]?: Job };
};
