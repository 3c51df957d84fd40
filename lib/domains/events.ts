import {
  apiKeyUsePrefix,
  joinRequestPrefix,
  mailboxSortKey,
  mailSortKey,
  prefixes,
  rolesVersionSortKey,
  sessionPrefix,
} from '../../shared/db/key-prefixes.ts';
import type { Domain, Pattern, QueueSource, Rule, StreamSource } from '../domain.ts';

/**
 * The stream records that need processing: shared/events/table-changes.ts, shared/events/from-stream.ts. The local
 * server filters with the same patterns.
 */
export const tableStream = {
  filters: [
    // Events, and the other changes of users and workspaces: no filter can compare the two images. stream.sort drops
    // sessions that were not renewed on another day than before, and users whose number of memberships alone changed.
    change(['INSERT', 'MODIFY'], ...['USER', 'WS', mailboxSortKey, rolesVersionSortKey], {
      prefix: sessionPrefix,
    }),
    change(
      ['INSERT'],
      ...[{ prefix: prefixes.accepted }, { prefix: prefixes.pending }],
      ...[{ prefix: joinRequestPrefix }, { prefix: apiKeyUsePrefix }, mailSortKey],
    ),
    // Changed, or restored together with its workspace. Archiving has no consequences.
    {
      eventName: ['MODIFY'],
      dynamodb: {
        NewImage: {
          by_member_sk: { S: [{ prefix: prefixes.accepted }, { prefix: prefixes.pending }] },
        },
      },
    },
    change(['REMOVE'], { prefix: prefixes.accepted }),
    // Expired invitations. Every other removal decrements the count itself.
    { ...change(['REMOVE'], { prefix: prefixes.pending }), userIdentity: { type: ['Service'] } },
  ],
  batchSize: 100,
  // As long as the stream keeps a record. stream.sort only distributes records, so it can fail only if the queues as a
  // whole fail; an alarm is raised after minutes.
  maxAge: 86_400,
} satisfies StreamSource;

/**
 * A project that is behind catches up by ten messages at once: most have one or two records. A failed message returns
 * within 90 s.
 */
export const changesQueue = {
  queue: 'changes',
  batchSize: 10,
  visibility: 180,
  // The maximum of SQS. Alarms are raised after minutes.
  retention: 1_209_600,
  concurrency: 50,
} satisfies QueueSource;

/** The feed of a project, the audit logs, and the work that follows from changes of the table. */
export const events = {
  endpoints: {
    'events.list': { get: ['feeds'], query: ['feeds'] },
    'events.listOfWorkspace': { get: ['workspaces', 'logs', 'roles'], query: ['logs'] },
    'stats.get': { query: ['stats'] },
  },
  jobs: {
    // Only forwards its input.
    'stream.sort': {
      grant: { setsAside: true },
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
    // Goes over the members of whole workspaces, for which it sends itself messages; after a timeout, the retry
    // continues.
    'stream.consume': {
      grant: {
        get: ['users', 'mails', 'mailboxes', 'workspaces', 'logs', 'feeds', 'rates'],
        query: ['users', 'leftWorkspaces', 'apiKeyUses', 'workspaces', 'logs'],
        check: ['users', 'workspaces'],
        put: ['mails', 'leftWorkspaces', 'apiKeyUses', 'workspaces', 'logs', 'feeds'],
        update: ['users', 'mailboxes', 'workspaces', 'logs', 'feeds', 'stats', 'rates'],
        delete: ['users', 'leftWorkspaces', 'apiKeyUses', 'workspaces', 'logs'],
        batch: ['memberTerms', 'directory'],
        indexes: ['by-member'],
        publish: true,
        sends: 'changes',
        setsAside: true,
      },
      memory: 512,
      timeout: 120,
      sources: [changesQueue],
      alarms: [
        {
          on: 'queue-age',
          id: 'ChangesAge',
          description: 'A change of a project has waited for more than 5 minutes.',
        },
        // A change that fails for two minutes fails the invocation (shared/events/queue-take.ts). CloudWatch leaves it
        // out of the age of the oldest message.
        {
          on: 'errors',
          id: 'stream.consume.errors',
          description: 'stream.consume timed out, crashed or failed.',
        },
      ],
    },
  },
} as const satisfies Domain;

function change(eventName: ('INSERT' | 'MODIFY' | 'REMOVE')[], ...sk: Rule[]): Pattern {
  return { eventName, dynamodb: { Keys: { sk: { S: sk } } } };
}
