import type { Operation } from '../../shared/contract/api.ts';
import { eventBudgets, recordingBudgets } from './event-budgets.ts';
import { waysInBudgets } from './join-budgets.ts';
import { lifecycleBudgets, lifecycleJobBudgets } from './lifecycle-budgets.ts';
import { memberBudgets } from './member-budgets.ts';
import type { Cost } from './meter.ts';
import { mailBudgets, signInBudgets } from './sign-in-budgets.ts';
import { sendingBudgets, webhookBudgets } from './webhook-budgets.ts';

const nothing: Cost = { rounds: [], read: 0, write: 0 };

/**
 * What every endpoint may cost on an instance that has its project and keys in memory, for items of the usual size;
 * each case begins with its kind of caller. The one place of these numbers: docs/evidence/table.md shows them, the tests hold
 * the service to exactly them.
 */
export const budgets = {
  'sessions.create': {
    Basic: {
      rounds: [['GetItem user', 'TransactWriteItems put session, update user'], ['Query session']],
      read: 2,
      write: 5,
    },
  },
  'sessions.list': {
    'Basic, 5 sessions': { rounds: [['GetItem user', 'Query session']], read: 2, write: 0 },
    'Bearer, 5 sessions': { rounds: [['GetItem session', 'Query session']], read: 2, write: 0 },
  },
  'sessions.introspect': { Basic: { rounds: [['GetItem session']], read: 1, write: 0 } },
  'sessions.end': {
    Basic: {
      rounds: [['GetItem session'], ['TransactWriteItems delete session, update user']],
      read: 1,
      write: 5,
    },
    Bearer: {
      rounds: [['BatchGetItem 2 session'], ['TransactWriteItems delete session, update user']],
      read: 2,
      write: 5,
    },
  },
  'sessions.endAll': {
    'Basic, 2 sessions': {
      rounds: [
        ['GetItem user'],
        ['Query session'],
        ['TransactWriteItems 2 delete session, update user'],
      ],
      read: 2,
      write: 7,
    },
    'Bearer, 2 others': {
      rounds: [
        ['BatchGetItem session, user'],
        ['Query session'],
        ['TransactWriteItems 2 delete session, update user'],
      ],
      read: 3,
      write: 7,
    },
  },
  'sessions.signOut': {
    Bearer: {
      rounds: [['GetItem session'], ['TransactWriteItems delete session, update user']],
      read: 1,
      write: 5,
    },
  },
  'sessions.refresh': {
    Refresh: { rounds: [['GetItem user', 'UpdateItem session']], read: 1, write: 1 },
    'Refresh, repeated': { rounds: [['GetItem user', 'UpdateItem session']], read: 1, write: 1 },
  },
  'users.getMe': {
    Bearer: { rounds: [['BatchGetItem session, user']], read: 2, write: 0 },
  },
  'users.create': {
    'Basic, known e-mail': {
      rounds: [['GetItem e-mail guard', 'Query by-email user']],
      read: 1.5,
      write: 0,
    },
    'Basic, known e-mail now verified': {
      rounds: [
        ['BatchGetItem e-mail guard, mailbox', 'Query by-email user'],
        ['GetItem user'],
        ['Query session'],
        ['TransactWriteItems delete password, update user'],
      ],
      read: 4.5,
      write: 5,
    },
    'Basic, new e-mail': {
      rounds: [
        ['GetItem e-mail guard', 'Query by-email user'],
        ['TransactWriteItems put e-mail guard, put user'],
      ],
      read: 1.5,
      write: 5,
    },
  },
  'users.get': {
    Basic: { rounds: [['GetItem user']], read: 1, write: 0 },
    'Basic, with no wallet yet': {
      rounds: [['GetItem user'], ['UpdateItem user']],
      read: 1,
      write: 2,
    },
    'Basic, new uid': { rounds: [['GetItem user'], ['PutItem user']], read: 1, write: 1 },
  },
  'users.search': {
    'Basic, 20 users': { rounds: [['BatchGetItem 20 user']], read: 20, write: 0 },
  },
  'users.update': {
    Basic: { rounds: [['UpdateItem user']], read: 0, write: 2 },
    'Basic, new e-mail': {
      rounds: [
        ['GetItem user'],
        ['TransactWriteItems delete e-mail guard, put e-mail guard, update user'],
      ],
      read: 1,
      write: 8,
    },
    'Basic, disabled with 2 sessions': {
      rounds: [
        ['GetItem user'],
        ['Query session'],
        ['TransactWriteItems 2 delete session, update user'],
      ],
      read: 2,
      write: 7,
    },
    'Basic, no longer disabled': {
      rounds: [['GetItem user'], ['TransactWriteItems update user']],
      read: 1,
      write: 3,
    },
    Bearer: { rounds: [['GetItem session'], ['UpdateItem user']], read: 1, write: 2 },
  },
  ...signInBudgets,
  'workspaces.create': {
    Basic: {
      rounds: [['GetItem user'], ['TransactWriteItems put member, put workspace, update user']],
      read: 1,
      write: 8,
    },
  },
  'workspaces.list': {
    'Basic, 5 workspaces': {
      rounds: [['GetItem user', 'Query by-member member'], ['BatchGetItem 5 member, 5 workspace']],
      read: 11.5,
      write: 0,
    },
    'Bearer, 5 workspaces': {
      rounds: [
        ['GetItem session', 'Query by-member member'],
        ['BatchGetItem 5 member, 5 workspace'],
      ],
      read: 11.5,
      write: 0,
    },
  },
  'workspaces.get': {
    Basic: { rounds: [['GetItem workspace']], read: 1, write: 0 },
    Bearer: { rounds: [['BatchGetItem member, session, workspace']], read: 3, write: 0 },
  },
  'workspaces.update': {
    Basic: { rounds: [['UpdateItem workspace']], read: 0, write: 1 },
    Bearer: {
      rounds: [['BatchGetItem member, session, workspace'], ['UpdateItem workspace']],
      read: 3,
      write: 1,
    },
  },
  ...lifecycleBudgets,
  'workspaces.listJoined': {
    'Bearer, 5 workspaces': {
      rounds: [
        ['GetItem session', 'Query by-member member'],
        ['BatchGetItem 5 member, 5 workspace'],
      ],
      read: 11.5,
      write: 0,
    },
  },
  ...waysInBudgets,
  ...memberBudgets,
  'members.list': {
    'Basic, 20 members': { rounds: [['GetItem workspace', 'Query member']], read: 6, write: 0 },
    'Basic, 100 members': { rounds: [['GetItem workspace', 'Query member']], read: 25, write: 0 },
    'Basic, 20 members, offset 120': {
      rounds: [['GetItem workspace'], ['Query member']],
      read: 35,
      write: 0,
    },
    'Bearer, 20 members': {
      rounds: [['BatchGetItem member, session, workspace', 'Query member']],
      read: 8,
      write: 0,
    },
    'Basic, 20 members, found by a name': {
      rounds: [['GetItem workspace'], ['Query search term'], ['BatchGetItem 20 member']],
      read: 22,
      write: 0,
    },
  },
  ...eventBudgets,
  ...webhookBudgets,
  'discovery.jwks': {
    Anyone: { rounds: [['Query key']], read: 1, write: 0 },
  },
  'discovery.openidConfiguration': {
    Anyone: nothing,
  },
  'docs.home': { Anyone: nothing },
  'docs.openapi': { Anyone: nothing },
  'docs.page': { Anyone: nothing },
  'docs.asset': { Anyone: nothing },
} satisfies Record<Operation, Record<string, Cost>>;
export type Budgets = typeof budgets;

/** What comes before a request whose instance has not yet read, or not lately, the project and the public keys. */
export const coldBudgets = {
  Anyone: { rounds: [['GetItem project']], read: 1, write: 0 },
  Basic: { rounds: [['GetItem project']], read: 1, write: 0 },
  'Basic, once a day beside the others': { rounds: [['PutItem secret use']], read: 0, write: 1 },
  Bearer: { rounds: [['Query key'], ['GetItem project']], read: 2, write: 0 },
  Refresh: { rounds: [['Query key']], read: 1, write: 0 },
} satisfies Record<string, Cost>;

/** What the functions of the stream do after a change. */
export const backgroundBudgets = {
  'profile of a member of 4 workspaces and owner of 1': {
    rounds: [
      ['Query by-member member'],
      Array.from({ length: 5 }, () => 'UpdateItem member'),
      ['UpdateItem workspace'],
      ['Query by-member invitation'],
      // Of each copy that changed what it is found by.
      Array.from({ length: 4 }, () => 'BatchWriteItem search term'),
      ['BatchWriteItem search term'],
    ],
    read: 1,
    write: 11,
  },
  ...lifecycleJobBudgets,
  ...recordingBudgets,
  ...sendingBudgets,
  ...mailBudgets,
} satisfies Record<string, Cost>;
