import type { Cost } from './meter.ts';

/** What the endpoints of the events may cost: see budgets.ts, which has them too. */
export const eventBudgets = {
  'events.list': {
    'Basic, 20 events': { rounds: [['Query feed entry']], read: 3, write: 0 },
    'Basic, nothing new': {
      rounds: [['Query feed entry'], ['GetItem feed head']],
      read: 2,
      write: 0,
    },
  },
  'events.listOfWorkspace': {
    'Basic, 20 events': {
      rounds: [['BatchGetItem log head, workspace', 'Query log entry']],
      read: 6,
      write: 0,
    },
    'Basic, nothing new': {
      rounds: [['BatchGetItem log head, workspace', 'Query log entry'], ['GetItem log head']],
      read: 4,
      write: 0,
    },
    'Bearer, 20 events': {
      rounds: [['BatchGetItem member, session, workspace', 'Query log entry']],
      read: 7,
      write: 0,
    },
  },
} satisfies Record<string, Record<string, Cost>>;

/** What recording costs beside whatever else follows from a change. */
export const recordingBudgets = {
  'an event': {
    rounds: [
      ['BatchGetItem feed head, log head'],
      ['TransactWriteItems put feed entry, put log entry, update feed head, update log head'],
    ],
    read: 2,
    write: 8,
  },
} satisfies Record<string, Cost>;
