import type { Cost } from './meter.ts';

/** What members and invitations may cost, in the manner of budgets.ts. */
export const memberBudgets = {
  'members.add': {
    Basic: {
      rounds: [
        ['BatchGetItem invitation, join request, member, user, workspace'],
        ['TransactWriteItems check invitation, put member, update user, update workspace'],
      ],
      read: 5,
      write: 10,
    },
    'Basic, invited': {
      rounds: [
        ['BatchGetItem invitation, join request, member, user, workspace'],
        ['TransactWriteItems delete invitation, put member, update user, update workspace'],
      ],
      read: 5,
      write: 13,
    },
    'Bearer, who shares a workspace': {
      rounds: [
        ['BatchGetItem invitation, join request, 2 member, session, user, workspace'],
        ['Query by-member member', 'Query by-member member'],
        ['BatchGetItem 2 member, workspace'],
        [
          'TransactWriteItems check invitation, check member, put member, update rate, update user, update workspace',
        ],
      ],
      read: 11,
      write: 14,
    },
    'Bearer, of a proven domain': {
      rounds: [
        ['BatchGetItem invitation, join request, 2 member, session, user, workspace'],
        [
          'TransactWriteItems check invitation, check member, put member, update rate, update user, update workspace',
        ],
      ],
      read: 7,
      write: 14,
    },
    'Bearer, a stranger, who is invited': {
      rounds: [
        ['BatchGetItem invitation, join request, 2 member, session, user, workspace'],
        ['Query by-member member', 'Query by-member member'],
        ['UpdateItem rate'],
        [
          'TransactWriteItems 2 check member, check user, put invitation, put mail, update rate, update workspace',
        ],
      ],
      read: 8,
      write: 18,
    },
  },
  'members.get': {
    Basic: { rounds: [['BatchGetItem member, workspace']], read: 2, write: 0 },
    Bearer: { rounds: [['BatchGetItem 2 member, session, workspace']], read: 4, write: 0 },
  },
  'members.remove': {
    Basic: {
      rounds: [
        ['BatchGetItem member, workspace'],
        ['TransactWriteItems delete member, update user, update workspace'],
      ],
      read: 2,
      write: 8,
    },
    Bearer: {
      rounds: [
        ['BatchGetItem 2 member, session, workspace'],
        ['TransactWriteItems check member, delete member, update user, update workspace'],
      ],
      read: 4,
      write: 10,
    },
    'Bearer, themself': {
      rounds: [
        ['BatchGetItem member, session, workspace'],
        ['TransactWriteItems delete member, update user, update workspace'],
      ],
      read: 3,
      write: 8,
    },
  },
  'members.suspend': {
    Basic: {
      rounds: [
        ['BatchGetItem member, workspace'],
        ['TransactWriteItems update member, update workspace'],
      ],
      read: 2,
      write: 4,
    },
    'Basic, suspended already': { rounds: [['BatchGetItem member, workspace']], read: 2, write: 0 },
    Bearer: {
      rounds: [
        ['BatchGetItem 2 member, session, workspace'],
        ['TransactWriteItems check member, update member, update workspace'],
      ],
      read: 4,
      write: 6,
    },
  },
  'members.changeRole': {
    Basic: {
      rounds: [
        ['BatchGetItem member, user, workspace'],
        ['TransactWriteItems update member, update workspace'],
      ],
      read: 3,
      write: 5,
    },
    Bearer: {
      rounds: [
        ['BatchGetItem 2 member, session, user, workspace'],
        ['TransactWriteItems check member, update member, update workspace'],
      ],
      read: 5,
      write: 7,
    },
  },
  'invitations.create': {
    'Basic, known e-mail': {
      rounds: [
        ['BatchGetItem e-mail guard, workspace'],
        ['BatchGetItem invitation, member, user'],
        ['UpdateItem rate'],
        ['TransactWriteItems check member, check user, put invitation, put mail, update workspace'],
      ],
      read: 5,
      write: 14,
    },
    'Basic, known e-mail, without a mail': {
      rounds: [
        ['BatchGetItem e-mail guard, workspace'],
        ['BatchGetItem invitation, member, user'],
        ['TransactWriteItems check member, check user, put invitation, update workspace'],
      ],
      read: 5,
      write: 11,
    },
    'Basic, new e-mail': {
      rounds: [
        ['BatchGetItem e-mail guard, workspace'],
        ['UpdateItem rate'],
        [
          'TransactWriteItems put e-mail guard, put invitation, put mail, put user, update workspace',
        ],
      ],
      read: 2,
      write: 13,
    },
    'Basic, 20 new e-mails': {
      rounds: [
        ['GetItem workspace'],
        ['BatchGetItem 20 e-mail guard'],
        Array.from({ length: 20 }, () => 'UpdateItem rate'),
        [
          'TransactWriteItems 20 put e-mail guard, 20 put invitation, 20 put mail, 20 put user, update workspace',
        ],
      ],
      read: 21,
      write: 232,
    },
    'Basic, 20 e-mails again': {
      rounds: [
        ['GetItem workspace'],
        ['BatchGetItem 20 e-mail guard'],
        ['BatchGetItem 20 invitation, 20 member, 20 user'],
      ],
      read: 82,
      write: 0,
    },
    'Bearer, known e-mail': {
      rounds: [
        ['BatchGetItem e-mail guard, member, session, workspace'],
        ['BatchGetItem invitation, member, user'],
        ['UpdateItem rate'],
        [
          'TransactWriteItems 2 check member, check user, put invitation, put mail, update rate, update workspace',
        ],
      ],
      read: 7,
      write: 18,
    },
  },
  'invitations.list': {
    'Basic, 20 invitations': {
      rounds: [['GetItem workspace'], ['Query invitation']],
      read: 7,
      write: 0,
    },
    'Bearer, 20 invitations': {
      rounds: [['BatchGetItem member, session, workspace'], ['Query invitation']],
      read: 9,
      write: 0,
    },
  },
  'invitations.resend': {
    Basic: {
      rounds: [
        ['BatchGetItem invitation, workspace'],
        ['UpdateItem rate'],
        ['TransactWriteItems put mail, update invitation, update workspace'],
      ],
      read: 2,
      write: 9,
    },
    Bearer: {
      rounds: [
        ['BatchGetItem invitation, member, session, workspace'],
        ['UpdateItem rate'],
        ['TransactWriteItems check member, put mail, update invitation, update workspace'],
      ],
      read: 4,
      write: 11,
    },
  },
  'invitations.end': {
    Basic: {
      rounds: [
        ['BatchGetItem invitation, workspace'],
        ['TransactWriteItems delete invitation, update workspace'],
      ],
      read: 2,
      write: 7,
    },
    Bearer: {
      rounds: [
        ['BatchGetItem invitation, member, session, workspace'],
        ['TransactWriteItems check member, delete invitation, update workspace'],
      ],
      read: 4,
      write: 9,
    },
    'Bearer, the invitee': {
      rounds: [
        ['BatchGetItem invitation, session, user, workspace'],
        ['TransactWriteItems delete invitation, update workspace'],
      ],
      read: 4,
      write: 7,
    },
  },
  'invitations.endByEmail': {
    Basic: {
      rounds: [
        ['BatchGetItem e-mail guard, workspace'],
        ['GetItem invitation'],
        ['TransactWriteItems delete invitation, update workspace'],
      ],
      read: 3,
      write: 7,
    },
    Bearer: {
      rounds: [
        ['BatchGetItem e-mail guard, member, session, workspace'],
        ['GetItem invitation'],
        ['TransactWriteItems check member, delete invitation, update workspace'],
      ],
      read: 5,
      write: 9,
    },
  },
  'invitations.accept': {
    'Basic, proven e-mail': {
      rounds: [
        ['BatchGetItem invitation, join request, member, user, workspace'],
        ['TransactWriteItems delete invitation, put member, update user, update workspace'],
      ],
      read: 5,
      write: 13,
    },
    'Basic, e-mail that was not proven, 1 session': {
      rounds: [
        ['BatchGetItem invitation, join request, member, user, workspace'],
        ['Query session'],
        [
          'TransactWriteItems delete invitation, delete password, put member, update user, update workspace',
        ],
      ],
      read: 6,
      write: 15,
    },
    'Bearer, proven e-mail': {
      rounds: [
        ['BatchGetItem invitation, join request, member, session, user, workspace'],
        ['TransactWriteItems delete invitation, put member, update user, update workspace'],
      ],
      read: 6,
      write: 13,
    },
    'Bearer, e-mail that was not proven': {
      rounds: [
        ['BatchGetItem invitation, join request, member, session, user, workspace'],
        ['Query session'],
        [
          'TransactWriteItems delete invitation, delete password, put member, update user, update workspace',
        ],
      ],
      read: 7,
      write: 15,
    },
    'Bearer, a member already': {
      rounds: [['BatchGetItem invitation, join request, member, session, user, workspace']],
      read: 6,
      write: 0,
    },
  },
} satisfies Record<string, Record<string, Cost>>;
