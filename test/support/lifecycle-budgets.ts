import type { Cost } from './meter.ts';

/** What deleting, restoring, handing over and exporting may cost. */
export const lifecycleBudgets = {
  'users.delete': {
    'Basic, 2 sessions': {
      rounds: [
        ['GetItem user'],
        ['Query session'],
        ['TransactWriteItems delete e-mail guard, delete password, 2 delete session, update user'],
      ],
      read: 2,
      write: 11,
    },
    'Basic, again': { rounds: [['GetItem user']], read: 1, write: 0 },
    'Bearer, owner of 1 workspace': {
      rounds: [
        ['BatchGetItem password, session, user'],
        ['Query by-member member'],
        ['GetItem workspace'],
        ['Query session'],
        [
          'TransactWriteItems delete e-mail guard, delete password, delete session, update user, update workspace',
        ],
      ],
      read: 5.5,
      write: 11,
    },
    'Bearer, with a password': {
      rounds: [
        ['BatchGetItem password, session, user'],
        ['UpdateItem rate'],
        ['Query session', 'UpdateItem rate'],
        ['TransactWriteItems delete e-mail guard, delete password, delete session, update user'],
      ],
      read: 4,
      write: 14,
    },
  },
  'users.getDeletion': {
    Basic: { rounds: [['GetItem user']], read: 1, write: 0 },
  },
  'users.export': {
    'Basic, 5 workspaces': {
      rounds: [
        ['GetItem user'],
        [
          'GetItem password',
          'Query by-member archived',
          'Query by-member archived',
          'Query by-member archived',
          'Query by-member invitation',
          'Query by-member join request',
          'Query by-member member',
          'Query log entry',
          'Query session',
        ],
        ['BatchGetItem 5 member'],
        ['BatchGetItem 5 workspace'],
      ],
      read: 17,
      write: 0,
    },
    'Bearer, 5 workspaces': {
      rounds: [
        ['BatchGetItem session, user'],
        [
          'GetItem password',
          'Query by-member archived',
          'Query by-member archived',
          'Query by-member archived',
          'Query by-member invitation',
          'Query by-member join request',
          'Query by-member member',
          'Query log entry',
          'Query session',
        ],
        ['BatchGetItem 5 member'],
        ['BatchGetItem 5 workspace'],
      ],
      read: 18,
      write: 0,
    },
  },
  'workspaces.delete': {
    Basic: {
      rounds: [['GetItem workspace'], ['TransactWriteItems update user, update workspace']],
      read: 1,
      write: 5,
    },
    Bearer: {
      rounds: [
        ['BatchGetItem member, session, workspace'],
        ['TransactWriteItems update user, update workspace'],
      ],
      read: 3,
      write: 5,
    },
  },
  'workspaces.restore': {
    Basic: {
      rounds: [
        ['GetItem workspace'],
        ['GetItem user'],
        ['TransactWriteItems update user, update workspace'],
      ],
      read: 2,
      write: 5,
    },
    Bearer: {
      rounds: [
        ['BatchGetItem member, session, workspace'],
        ['GetItem user'],
        ['TransactWriteItems update user, update workspace'],
      ],
      read: 4,
      write: 5,
    },
  },
  'ownership.offer': {
    'Basic, handed over': {
      rounds: [
        ['BatchGetItem member, user, workspace'],
        ['TransactWriteItems 2 check member, 2 update user, update workspace'],
      ],
      read: 3,
      write: 12,
    },
    Bearer: {
      rounds: [
        ['BatchGetItem 2 member, session, workspace'],
        ['TransactWriteItems check member, update workspace'],
      ],
      read: 4,
      write: 4,
    },
  },
  'ownership.accept': {
    Bearer: {
      rounds: [
        ['BatchGetItem member, session, user, workspace'],
        ['TransactWriteItems 2 check member, 2 update user, update workspace'],
      ],
      read: 4,
      write: 12,
    },
  },
  'ownership.end': {
    Basic: {
      rounds: [['GetItem workspace'], ['TransactWriteItems update workspace']],
      read: 1,
      write: 2,
    },
    Bearer: {
      rounds: [
        ['BatchGetItem member, session, workspace'],
        ['TransactWriteItems update workspace'],
      ],
      read: 3,
      write: 2,
    },
  },
} satisfies Record<string, Record<string, Cost>>;

/** What the stream's jobs do after that and other changes of members, beside recording the event. */
export const lifecycleJobBudgets = {
  'a new member, found by one term': {
    rounds: [['BatchWriteItem search term'], ['GetItem user']],
    read: 1,
    write: 1,
  },
  'deletion of a workspace of 40 members': {
    rounds: [
      ['GetItem workspace'],
      ['Query member'],
      ['TransactWriteItems check workspace, 20 update member, 20 update user'],
      ['TransactWriteItems check workspace, 20 update member, 20 update user'],
      ['Query invitation'],
      ['Query domain'],
      ['Query join link'],
      ['Query join request'],
    ],
    read: 13,
    write: 284,
  },
  'restoring of a workspace of 40 members': {
    rounds: [
      ['GetItem workspace'],
      ['Query member'],
      ['BatchGetItem 20 user'],
      ['TransactWriteItems check workspace, 20 update member, 20 update user'],
      ['BatchGetItem 20 user'],
      ['TransactWriteItems check workspace, 20 update member, 20 update user'],
      ['Query invitation'],
      ['GetItem workspace'],
      ...Array.from({ length: 40 }, () => ['GetItem user']),
    ],
    read: 91,
    write: 284,
  },
  'deletion of a member of 4 workspaces, with its 4 events': {
    rounds: [
      ['Query by-member member'],
      ...Array.from({ length: 4 }, () => [
        ['Query invitation'],
        ['Query member'],
        ['BatchGetItem member, user, workspace'],
        ['TransactWriteItems delete member, update user, update workspace'],
      ]).flat(),
      ['Query by-member archived'],
      ['Query by-member invitation'],
      ['Query by-member archived'],
      ['Query by-member join request'],
      ['GetItem user'],
      ['GetItem log head'],
      ['Query log entry'],
      ['TransactWriteItems 3 delete log entry, 3 put feed entry'],
      ['UpdateItem log head'],
      ['GetItem mailbox'],
      ['UpdateItem user'],
      ['BatchGetItem feed head, 4 log head'],
      ['TransactWriteItems 4 put feed entry, 4 put log entry, update feed head, 4 update log head'],
      // The user is the fourth of those that are followed up side by side.
      Array.from({ length: 3 }, () => 'BatchWriteItem search term'),
      ['BatchWriteItem search term'],
    ],
    read: 31.5,
    write: 72,
  },
} satisfies Record<string, Cost>;
