import type { Cost } from './meter.ts';

const counts = 'UpdateItem rate';

// One cost whether or not there is an account: whoever asks must not be able to tell.
const mailing: Cost = {
  rounds: [[counts], [counts], [counts], ['TransactWriteItems put mail, put mail token']],
  read: 0,
  write: 7,
};
const mailingCode: Cost = {
  rounds: [[counts], [counts], [counts], ['TransactWriteItems put challenge, put mail']],
  read: 0,
  write: 7,
};
const refusedPassword: Cost = {
  rounds: [
    ['GetItem e-mail guard', counts],
    ['BatchGetItem password, user', counts],
  ],
  read: 3,
  write: 2,
};

/** What the ways to sign in may cost, in the manner of budgets.ts. */
export const signInBudgets = {
  'passwords.signUp': { Anyone: mailing },
  'passwords.signIn': {
    'Anyone, password': {
      rounds: [
        ['GetItem e-mail guard', counts],
        ['BatchGetItem password, user', counts],
        ['TransactWriteItems check password, put session, update user', counts, counts],
        ['Query session'],
      ],
      read: 4,
      write: 11,
    },
    'Anyone, password, new device': {
      rounds: [
        ['GetItem e-mail guard', counts],
        ['BatchGetItem password, user', counts],
        [counts, counts, counts],
        ['TransactWriteItems check password, put mail, put session, update user'],
        ['Query session'],
      ],
      read: 4,
      write: 14,
    },
    'Anyone, wrong password': refusedPassword,
    'Anyone, unknown e-mail': refusedPassword,
  },
  'passwords.forgot': { 'Anyone, known user': mailing, 'Anyone, unknown e-mail': mailing },
  'passwords.set': {
    'Anyone, new user': {
      rounds: [
        ['GetItem mail token'],
        ['GetItem e-mail guard'],
        [
          'TransactWriteItems delete mail token, delete rate, put e-mail guard, put password, put session, put user',
        ],
      ],
      read: 2,
      write: 16,
    },
    'Anyone, forgotten password, 2 sessions': {
      rounds: [
        ['GetItem mail token'],
        ['GetItem e-mail guard'],
        ['BatchGetItem password, user'],
        ['Query session'],
        [
          'TransactWriteItems delete mail token, delete rate, 2 delete session, put mail, put password, put session, update user',
        ],
      ],
      read: 5,
      write: 20,
    },
  },
  'passwords.change': {
    'Bearer, 2 sessions': {
      rounds: [
        ['BatchGetItem password, session, user'],
        [counts],
        ['Query session', counts],
        ['TransactWriteItems delete session, put mail, put password, update user'],
      ],
      read: 4,
      write: 14,
    },
  },
  'codes.start': { 'Anyone, known user': mailingCode, 'Anyone, unknown e-mail': mailingCode },
  'codes.verify': {
    'Anyone, known user': {
      rounds: [
        [counts],
        ['UpdateItem challenge'],
        ['GetItem e-mail guard', counts],
        ['GetItem user'],
        ['TransactWriteItems delete challenge, put session, update user'],
        ['Query session'],
      ],
      read: 3,
      write: 10,
    },
    'Anyone, known user whose e-mail was not proven, 1 session': {
      rounds: [
        [counts],
        ['UpdateItem challenge'],
        ['GetItem e-mail guard', counts],
        ['GetItem user'],
        ['Query session'],
        [
          'TransactWriteItems delete challenge, delete password, delete session, put session, update user',
        ],
      ],
      read: 3,
      write: 17,
    },
    'Anyone, new user': {
      rounds: [
        [counts],
        ['UpdateItem challenge'],
        ['GetItem e-mail guard', counts],
        ['TransactWriteItems delete challenge, put e-mail guard, put session, put user'],
      ],
      read: 1,
      write: 15,
    },
    'Anyone, wrong code': { rounds: [[counts], ['UpdateItem challenge']], read: 0, write: 2 },
  },
  'identities.signIn': {
    'Anyone, known account': {
      rounds: [
        [counts],
        ['BatchGetItem e-mail guard, identity', counts],
        ['GetItem user'],
        ['TransactWriteItems check identity, put session, update user'],
        ['Query session'],
      ],
      read: 4,
      write: 9,
    },
    'Anyone, known account, new device': {
      rounds: [
        [counts],
        ['BatchGetItem e-mail guard, identity', counts],
        ['GetItem user'],
        [counts],
        ['TransactWriteItems check identity, put mail, put session, update user'],
        ['Query session'],
      ],
      read: 4,
      write: 12,
    },
    'Anyone, new account of a known user': {
      rounds: [
        [counts],
        ['BatchGetItem e-mail guard, identity', counts],
        ['GetItem user'],
        ['TransactWriteItems put identity, put mail, put session, update user'],
        ['Query session'],
      ],
      read: 4,
      write: 14,
    },
    'Anyone, new user': {
      rounds: [
        [counts],
        ['BatchGetItem e-mail guard, identity', counts],
        ['TransactWriteItems put e-mail guard, put identity, put session, put user'],
      ],
      read: 2,
      write: 14,
    },
  },
  'identities.link': {
    Bearer: {
      rounds: [
        ['BatchGetItem password, session, user'],
        ['GetItem identity'],
        ['TransactWriteItems put identity, put mail, update user'],
      ],
      read: 4,
      write: 7,
    },
    'Bearer, with a password': {
      rounds: [
        ['BatchGetItem password, session, user'],
        [counts],
        ['GetItem identity', counts],
        ['TransactWriteItems put identity, put mail, update user'],
      ],
      read: 4,
      write: 12,
    },
  },
  'identities.unlink': {
    Bearer: {
      rounds: [
        ['BatchGetItem password, session, user'],
        ['TransactWriteItems delete identity, put mail, update user'],
      ],
      read: 3,
      write: 7,
    },
    'Bearer, with a password': {
      rounds: [
        ['BatchGetItem password, session, user'],
        [counts],
        ['TransactWriteItems delete identity, put mail, update user', counts],
      ],
      read: 3,
      write: 12,
    },
  },
  'emails.verify': {
    Bearer: {
      rounds: [['BatchGetItem session, user'], ...mailing.rounds],
      read: 2,
      write: 7,
    },
  },
  'emails.change': {
    Bearer: {
      rounds: [['BatchGetItem password, session, user'], ...mailing.rounds],
      read: 3,
      write: 7,
    },
    'Bearer, with a password': {
      rounds: [
        ['BatchGetItem password, session, user'],
        [counts],
        [counts, counts],
        [counts],
        [counts],
        ['TransactWriteItems put mail, put mail token'],
      ],
      read: 3,
      write: 9,
    },
  },
  'emails.confirm': {
    'Bearer, own e-mail that was not proven': {
      rounds: [
        ['BatchGetItem mail token, session, user'],
        ['Query session'],
        ['TransactWriteItems delete mail token, delete password, update user'],
      ],
      read: 4,
      write: 7,
    },
    'Bearer, another e-mail': {
      rounds: [
        ['BatchGetItem mail token, session, user'],
        [
          'TransactWriteItems check session, delete e-mail guard, delete mail token, put e-mail guard, put mail, update user',
        ],
      ],
      read: 3,
      write: 14,
    },
  },
} satisfies Record<string, Record<string, Cost>>;

/** What the mail function does for one mail. */
export const mailBudgets = {
  'a code or a link to set a password, to a known user': {
    rounds: [
      ['BatchGetItem e-mail guard, mailbox'],
      ['GetItem user'],
      ['UpdateItem mail'],
      ['UpdateItem mail'],
    ],
    read: 3,
    write: 2,
  },
  'the same to an e-mail that nobody has': {
    rounds: [['BatchGetItem e-mail guard, mailbox'], ['UpdateItem mail'], ['UpdateItem mail']],
    read: 2,
    write: 2,
  },
  'any other mail': {
    rounds: [['GetItem mailbox'], ['UpdateItem mail'], ['UpdateItem mail']],
    read: 1,
    write: 2,
  },
} satisfies Record<string, Cost>;
