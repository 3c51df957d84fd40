import type { FunctionName } from '../shared/contract/functions.ts';
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

/** How Lambda feeds a function from the table's stream; the local feed does as much of it as one process can. */
export type Feed = {
  /** Only records that fit one of these; Lambda drops the others at no charge. */
  filters: readonly Pattern[];
  /** Records of one invocation, at most. */
  batchSize: number;
  /** How often a failed record is tried again, -1 until it is too old; then the dead-letter queue is told. */
  retries: number;
  /** Seconds after which a record is dropped, whether it was tried or only waited for others. */
  maxAge: number;
};

// A shard of a stream takes two readers at a time, and these are two.
export const feeds = {
  'stream.consume': {
    // Only these changes have consequences (shared/table/stream.ts, shared/feed/told.ts). Lambda takes five filters.
    filters: [
      // What tells events, and the rest of what changes these two: no filter can compare two images.
      change(['INSERT', 'MODIFY'], 'USER', 'WS', mailboxSortKey),
      change(['INSERT', 'MODIFY', 'REMOVE'], { prefix: prefixes.accepted }),
      change(['INSERT'], { prefix: prefixes.pending }, { prefix: joinRequestPrefix }),
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
    ],
    batchSize: 25,
    // As long as the stream keeps a record: an event that is dropped is lost to its log, its feed and its webhooks. A
    // failing record holds up its shard, so an outage is waited out, while the iterator age alarm goes off after
    // minutes; what no repeat can change is passed over (functions/stream/consume.ts).
    retries: -1,
    maxAge: 86_400,
  },
  'mail.send': {
    filters: [change(['INSERT'], mailSortKey)],
    batchSize: 10,
    // Whoever waits for a mail of an hour ago has asked for another.
    retries: 10,
    maxAge: 3_600,
  },
} as const satisfies { [F in FunctionName]?: Feed };

/** A function that the stream feeds. */
export type FedFunction = keyof typeof feeds;

function change(eventName: ('INSERT' | 'MODIFY' | 'REMOVE')[], ...sk: Rule[]): Pattern {
  return { eventName, dynamodb: { Keys: { sk: { S: sk } } } };
}
