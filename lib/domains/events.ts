import {
  archivedPrefix,
  joinRequestPrefix,
  mailboxSortKey,
  mailSortKey,
  prefixes,
} from '../../shared/db/schema.ts';
import type { Domain, Pattern, QueueSource, Rule, StreamSource } from '../domain.ts';

/**
 * Records from which something follows: shared/events/table-changes.ts, shared/events/from-stream.ts. The local feed filters by the same
 * patterns.
 */
export const tableStream = {
  filters: [
    // Events, and the other changes of these two: no filter can compare two images.
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
    // Expired. Every other removal counts the invitation out itself.
    { ...change(['REMOVE'], { prefix: prefixes.pending }), userIdentity: { type: ['Service'] } },
  ],
  batchSize: 100,
  // As long as the stream keeps it. It is only sorted here, so only the queues as a whole can fail; an alarm goes off
  // after minutes.
  maxAge: 86_400,
} satisfies StreamSource;

/** One message at a time, so that no message waits for another that it came with. A failed one comes again within 90 s. */
export const changesQueue = {
  queue: 'changes',
  visibility: 180,
  // The maximum of SQS. An alarm goes off after minutes.
  retention: 1_209_600,
  concurrency: 50,
} satisfies QueueSource;

/** The feed of a project, the audit logs, and the work that follows a change of the table. */
export const events = {
  endpoints: {
    'events.list': { get: ['feeds'], query: ['feeds'] },
    'events.listOfWorkspace': { get: ['workspaces', 'logs'], query: ['logs'] },
  },
  jobs: {
    // Hands on what it is given.
    'stream.sort': {
      grant: {},
      memory: 512,
      timeout: 30,
      sources: [tableStream],
      alarms: [
        {
          on: 'stream-age',
          id: 'IteratorAge',
          description: 'stream.sort is more than 5 minutes behind.',
        },
      ],
    },
    // Removes the members of whole workspaces; where the time ends, the retry goes on.
    'stream.consume': {
      grant: {
        get: ['users', 'mailboxes', 'workspaces', 'logs', 'feeds'],
        query: ['workspaces', 'logs'],
        check: ['users', 'workspaces'],
        put: ['workspaces', 'logs', 'feeds'],
        update: ['users', 'mailboxes', 'workspaces', 'logs', 'feeds'],
        delete: ['workspaces', 'logs'],
        batch: ['memberTerms'],
        indexes: ['by-member'],
        publish: true,
      },
      memory: 512,
      timeout: 120,
      sources: [changesQueue],
      alarms: [
        {
          on: 'queue-age',
          id: 'ChangesAge',
          description: 'A change of some project waits for more than 5 minutes.',
        },
      ],
    },
  },
} as const satisfies Domain;

function change(eventName: ('INSERT' | 'MODIFY' | 'REMOVE')[], ...sk: Rule[]): Pattern {
  return { eventName, dynamodb: { Keys: { sk: { S: sk } } } };
}
