import type { Cost } from './meter.ts';

const one: Cost = { rounds: [['GetItem webhook']], read: 1, write: 0 };
/** Finding a place in a feed of a thousand events. */
const search = [['GetItem feed head'], ...Array.from({ length: 10 }, () => ['GetItem feed entry'])];

/** What the endpoints of webhooks may cost: see budgets.ts, which has them too. */
export const webhookBudgets = {
  'webhooks.create': {
    Basic: {
      rounds: [['TransactWriteItems put webhook, update webhook count']],
      read: 0,
      write: 4,
    },
  },
  'webhooks.list': { 'Basic, 10 webhooks': { rounds: [['Query webhook']], read: 1, write: 0 } },
  'webhooks.get': { Basic: one },
  'webhooks.update': { Basic: { rounds: [['UpdateItem webhook']], read: 0, write: 1 } },
  'webhooks.delete': {
    Basic: {
      rounds: [['GetItem webhook'], ['TransactWriteItems delete webhook, update webhook count']],
      read: 1,
      write: 4,
    },
  },
  'webhooks.rotateSecret': {
    Basic: { rounds: [['GetItem webhook'], ['UpdateItem webhook']], read: 1, write: 1 },
  },
  'webhooks.listAttempts': {
    'Basic, 20 attempts': { rounds: [['GetItem webhook', 'Query attempt']], read: 3, write: 0 },
  },
  'webhooks.redeliver': {
    'Basic, an event among 1,000': {
      rounds: [
        ['GetItem webhook'],
        ['UpdateItem rate'],
        ...search,
        ['Query feed entry'],
        ['UpdateItem delivery'],
      ],
      read: 18,
      write: 2,
    },
    'Basic, a range': {
      rounds: [['GetItem webhook'], ['UpdateItem rate'], ['UpdateItem webhook']],
      read: 1,
      write: 2,
    },
  },
} satisfies Record<string, Record<string, Cost>>;

/** What sending costs, for each event and webhook. */
export const sendingBudgets = {
  'an event of a project without webhooks': { rounds: [['Query webhook']], read: 1, write: 0 },
  'an event that one webhook takes': {
    rounds: [['Query webhook'], ['PutItem delivery'], ['PutItem attempt'], ['UpdateItem delivery']],
    read: 1,
    write: 3,
  },
  'an event that one webhook takes at the second attempt': {
    rounds: [
      ['Query webhook'],
      ['PutItem delivery'],
      ['PutItem attempt'],
      ['UpdateItem delivery'],
      ['UpdateItem webhook'],
      ['UpdateItem delivery'],
      ['GetItem webhook'],
      ['PutItem attempt'],
      ['UpdateItem delivery'],
      ['UpdateItem webhook'],
    ],
    read: 2,
    write: 8,
  },
  'each later attempt that fails': {
    rounds: [
      ['UpdateItem delivery'],
      ['GetItem webhook'],
      ['PutItem attempt'],
      ['UpdateItem delivery'],
    ],
    read: 1,
    write: 3,
  },
} satisfies Record<string, Cost>;
