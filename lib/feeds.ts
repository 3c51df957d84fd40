import type { FunctionName } from '../shared/contract/functions.ts';
import type { QueueName } from '../shared/queues/sort.ts';
import {
  archivedPrefix,
  joinRequestPrefix,
  mailboxSortKey,
  mailSortKey,
  prefixes,
} from '../shared/table/shape.ts';

/** What a field of a record must be, any one of these, as event filters of Lambda say it. */
type Rule = string | { prefix: string } | { exists: true };
export type Pattern = { readonly [field: string]: Pattern | readonly Rule[] };

/** How Lambda feeds `stream.sort` from the table's stream; the local feed does as much of it as one process can. */
export const feed = {
  /**
   * Only records that fit one of these; Lambda drops the others at no charge, and takes five. From these something
   * follows: shared/table/stream.ts, shared/feed/told.ts.
   */
  filters: [
    // What tells events, and the rest of what changes these two: no filter can compare two images.
    change(['INSERT', 'MODIFY'], 'USER', 'WS', mailboxSortKey),
    change(['INSERT', 'MODIFY', 'REMOVE'], { prefix: prefixes.accepted }),
    change(['INSERT'], { prefix: prefixes.pending }, { prefix: joinRequestPrefix }, mailSortKey),
    // Restored with its workspace.
    {
      eventName: ['MODIFY'],
      dynamodb: {
        OldImage: { by_member_sk: { S: [{ prefix: `${archivedPrefix}${prefixes.pending}` }] } },
        NewImage: { by_member_sk: { S: [{ prefix: prefixes.pending }] } },
      },
    },
    // Expired: whoever else removes one counts it out.
    { ...change(['REMOVE'], { prefix: prefixes.pending }), userIdentity: { type: ['Service'] } },
  ] satisfies Pattern[] as readonly Pattern[],
  /** Records of one invocation, at most. */
  batchSize: 100,
  /**
   * Seconds for which a record is tried: as long as the stream keeps it. It is only sorted here, so what can fail is
   * the queues as a whole; an alarm goes off after minutes.
   */
  maxAge: 86_400,
} as const;

/** How Lambda feeds a function from a queue. */
export type QueueFeed = {
  queue: QueueName;
  /** Seconds for which a message is nobody else's once it was taken; the function's time at least, or Lambda refuses. */
  visibility: number;
  /** Seconds for which a message waits, at most. */
  retention: number;
  /** How many run at once, at most: else the work of many projects could take what the endpoints need. */
  concurrency: number;
};

/**
 * One message at a time each, so that no message waits for another that it came with. What fails comes again after a
 * while that grows to 90 s (shared/queues/take.ts), until it is done: what is left of it is left to nobody.
 */
export const queueFeeds = {
  'stream.consume': {
    queue: 'changes',
    visibility: 180,
    // The most that SQS has. An alarm goes off after minutes.
    retention: 1_209_600,
    concurrency: 50,
  },
  'mail.send': {
    queue: 'mails',
    visibility: 90,
    // Whoever waits for a mail of an hour ago has asked for another.
    retention: 3_600,
    concurrency: 20,
  },
} as const satisfies { [F in FunctionName]?: QueueFeed };

/** A function that a queue feeds. */
export type QueueFed = keyof typeof queueFeeds;

function change(eventName: ('INSERT' | 'MODIFY' | 'REMOVE')[], ...sk: Rule[]): Pattern {
  return { eventName, dynamodb: { Keys: { sk: { S: sk } } } };
}
