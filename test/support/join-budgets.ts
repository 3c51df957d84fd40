import type { Cost } from './meter.ts';

/** What the ways into a workspace may cost, in the manner of budgets.ts. */
export const waysInBudgets = {
  'workspaces.setAllowedDomains': {
    'Basic, one domain': {
      rounds: [['GetItem workspace'], ['TransactWriteItems put domain, update workspace']],
      read: 1,
      write: 5,
    },
    'Basic, one for another': {
      rounds: [
        ['GetItem workspace'],
        ['TransactWriteItems delete domain, put domain, update workspace'],
      ],
      read: 1,
      write: 8,
    },
    'Bearer, one domain': {
      rounds: [
        ['BatchGetItem member, session, user, workspace'],
        ['TransactWriteItems check member, check user, put domain, update workspace'],
      ],
      read: 4,
      write: 9,
    },
  },
  'workspaces.listInvited': {
    'Bearer, 1 invitation, 1 of the domain, 1 request': {
      rounds: [
        [
          'BatchGetItem session, user',
          'Query by-email domain',
          'Query by-member invitation',
          'Query by-member join request',
        ],
        ['BatchGetItem 2 invitation, join request, 2 member, 3 workspace'],
      ],
      read: 11.5,
      write: 0,
    },
  },
  'members.join': {
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
    'Basic, a member already': {
      rounds: [['BatchGetItem invitation, join request, member, user, workspace']],
      read: 5,
      write: 0,
    },
    'Basic, by a link': {
      rounds: [
        ['BatchGetItem invitation, join link, join request, member, user, workspace'],
        [
          'TransactWriteItems check invitation, put member, update join link, update user, update workspace',
        ],
      ],
      read: 6,
      write: 12,
    },
    'Bearer, invited': {
      rounds: [
        ['BatchGetItem invitation, join request, member, session, user, workspace'],
        ['TransactWriteItems delete invitation, put member, update user, update workspace'],
      ],
      read: 6,
      write: 13,
    },
    'Bearer, by a link': {
      rounds: [
        ['BatchGetItem invitation, join link, join request, member, session, user, workspace'],
        [
          'TransactWriteItems check invitation, put member, update join link, update user, update workspace',
        ],
      ],
      read: 7,
      write: 12,
    },
    "Bearer, by a person's link": {
      rounds: [
        ['BatchGetItem invitation, join link, join request, member, session, user, workspace'],
        ['GetItem member'],
        [
          'TransactWriteItems check invitation, check member, put member, update join link, update user, update workspace',
        ],
      ],
      read: 8,
      write: 14,
    },
    'Bearer, of an allowed domain': {
      rounds: [
        ['BatchGetItem invitation, join request, member, session, user, workspace'],
        ['TransactWriteItems check invitation, put member, update user, update workspace'],
      ],
      read: 6,
      write: 10,
    },
  },
  'domains.list': {
    Basic: { rounds: [['GetItem workspace']], read: 1, write: 0 },
    Bearer: { rounds: [['BatchGetItem member, session, workspace']], read: 3, write: 0 },
  },
  'domains.set': {
    Basic: {
      rounds: [['GetItem workspace'], ['TransactWriteItems put domain, update workspace']],
      read: 1,
      write: 5,
    },
    'Basic, another mode': {
      rounds: [['GetItem workspace'], ['TransactWriteItems update workspace']],
      read: 1,
      write: 2,
    },
    Bearer: {
      rounds: [
        ['BatchGetItem member, session, user, workspace'],
        ['TransactWriteItems check member, check user, put domain, update workspace'],
      ],
      read: 4,
      write: 9,
    },
  },
  'domains.prove': {
    Basic: {
      rounds: [['GetItem workspace'], ['TransactWriteItems update workspace']],
      read: 1,
      write: 2,
    },
    Bearer: {
      rounds: [
        ['BatchGetItem member, session, workspace'],
        ['TransactWriteItems check member, update workspace'],
      ],
      read: 3,
      write: 4,
    },
    'Basic, an allowed one': {
      rounds: [['GetItem workspace'], ['TransactWriteItems put domain, update workspace']],
      read: 1,
      write: 6,
    },
    'Bearer, proven before': {
      rounds: [['BatchGetItem member, session, workspace']],
      read: 3,
      write: 0,
    },
  },
  'joinRequests.create': {
    Bearer: {
      rounds: [
        ['BatchGetItem invitation, join request, member, session, user, workspace'],
        ['TransactWriteItems check member, check user, put join request, update workspace'],
      ],
      read: 6,
      write: 9,
    },
    'Bearer, repeated': {
      rounds: [['BatchGetItem invitation, join request, member, session, user, workspace']],
      read: 6,
      write: 0,
    },
  },
  'joinRequests.list': {
    'Basic, 5 requests': {
      rounds: [['GetItem workspace'], ['Query join request'], ['BatchGetItem 5 member, 5 user']],
      read: 12,
      write: 0,
    },
    'Bearer, 5 requests': {
      rounds: [
        ['BatchGetItem member, session, workspace'],
        ['Query join request'],
        ['BatchGetItem 5 member, 5 user'],
      ],
      read: 14,
      write: 0,
    },
  },
  'joinRequests.approve': {
    Basic: {
      rounds: [
        ['BatchGetItem invitation, join request, member, user, workspace'],
        [
          'TransactWriteItems check invitation, delete join request, put member, update user, update workspace',
        ],
      ],
      read: 5,
      write: 13,
    },
    Bearer: {
      rounds: [
        ['BatchGetItem invitation, join request, 2 member, session, user, workspace'],
        [
          'TransactWriteItems check invitation, check member, delete join request, put member, update user, update workspace',
        ],
      ],
      read: 7,
      write: 15,
    },
  },
  'joinRequests.delete': {
    'Basic, refused': {
      rounds: [
        ['BatchGetItem join request, workspace'],
        ['TransactWriteItems delete join request, update workspace'],
      ],
      read: 2,
      write: 5,
    },
    'Bearer, refused': {
      rounds: [
        ['BatchGetItem join request, member, session, workspace'],
        ['TransactWriteItems check member, delete join request, update workspace'],
      ],
      read: 4,
      write: 7,
    },
    'Bearer, taken back': {
      rounds: [
        ['BatchGetItem join request, session, workspace'],
        ['TransactWriteItems delete join request, update workspace'],
      ],
      read: 3,
      write: 5,
    },
  },
  'joinLinks.create': {
    Basic: {
      rounds: [['GetItem workspace'], ['TransactWriteItems put join link, update workspace']],
      read: 1,
      write: 4,
    },
    Bearer: {
      rounds: [
        ['BatchGetItem member, session, workspace'],
        ['TransactWriteItems check member, put join link, update workspace'],
      ],
      read: 3,
      write: 6,
    },
  },
  'joinLinks.list': {
    'Basic, 5 links': { rounds: [['GetItem workspace', 'Query join link']], read: 2, write: 0 },
    'Bearer, 5 links': {
      rounds: [['BatchGetItem member, session, workspace', 'Query join link']],
      read: 4,
      write: 0,
    },
  },
  'joinLinks.revoke': {
    Basic: {
      rounds: [
        ['BatchGetItem join link, workspace'],
        ['TransactWriteItems delete join link, update workspace'],
      ],
      read: 2,
      write: 4,
    },
    Bearer: {
      rounds: [
        ['BatchGetItem join link, member, session, workspace'],
        ['TransactWriteItems check member, delete join link, update workspace'],
      ],
      read: 4,
      write: 6,
    },
  },
} satisfies Record<string, Record<string, Cost>>;
