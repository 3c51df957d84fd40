import type { IndexName } from '../shared/db/schema.ts';
import type { QueueName } from '../shared/events/queue-sort.ts';

/**
 * The kinds of partitions of the table, each by the pattern of its keys as IAM compares them (`dynamodb:LeadingKeys`).
 * IAM cannot divide a partition: a function that may write `users` may write passwords and sessions too.
 */
export const partitions = {
  /** Settings of projects, and the digests of their secrets. */
  projects: 'PROJECT#*',
  /** The public keys by which tokens are verified. */
  keys: 'KEYS',
  /** When a secret of a project was last used. */
  secretUses: 'SECRET_USE#*',
  /** Users, with their passwords and sessions. */
  users: 'USER#*',
  /** Which user has an e-mail. */
  emails: 'EMAIL#*',
  /** Which user has an account at an identity provider. */
  identities: 'IDENTITY#*',
  /** Codes that were mailed to sign in. */
  codes: 'CODE#*',
  /** Tokens that were mailed to set a password, and to verify or change an e-mail. */
  tokens: 'TOKEN#*',
  /** Mails to be sent. */
  mails: 'MAIL#*',
  /** Bounces and complaints, address by address. */
  mailboxes: 'MAILBOX#*',
  /** Counters of rate limits. */
  rates: 'RATE#*',
  /** Answers to requests with an Idempotency-Key. */
  idempotency: 'IDEMPOTENCY#*',
  /** Workspaces, with their members, invitations, domains, join links and requests. */
  workspaces: 'WS#*',
  /** By which words a member is found. */
  memberTerms: 'FIND#*',
  webhooks: 'WEBHOOKS#*',
  /** What a webhook was sent, as a whole and try by try. */
  deliveries: 'DELIVERY#*',
  attempts: 'ATTEMPTS#*',
  /** Events of a user or workspace, and of a project. */
  logs: 'LOG#*',
  feeds: 'FEED#*',
} as const;
export type Partition = keyof typeof partitions;

/** What kind of partition a key is of; undefined for a key of none. */
export function partitionOf(pk: string): Partition | undefined {
  const found = Object.entries(partitions).find(([, pattern]) =>
    pattern.endsWith('*') ? pk.startsWith(pattern.slice(0, -1)) : pk === pattern,
  );
  return found?.[0] as Partition | undefined;
}

/** What may be done with the items of a partition, and the DynamoDB actions that it takes; a transaction is judged item by item. */
export const verbs = {
  /** Read items by their keys: one, or several together. */
  get: ['GetItem', 'BatchGetItem'],
  /** Read a whole partition, or a range of it. */
  query: ['Query'],
  /** Hold a transaction to an item's being as it should. */
  check: ['ConditionCheckItem'],
  put: ['PutItem'],
  /** Change an item, or make it where there is none. */
  update: ['UpdateItem'],
  delete: ['DeleteItem'],
  /** Put and delete many, each whatever there was. */
  batch: ['BatchWriteItem'],
} as const;
export type Verb = keyof typeof verbs;

/** The verbs that change items. */
export const writes = ['put', 'update', 'delete', 'batch'] as const satisfies readonly Verb[];

/** Which partitions may be used how. A partition that is not named may not be used at all. */
export type Access = { readonly [V in Verb]?: readonly Partition[] };

/** Both together, each partition once. */
export function joined(...all: readonly Access[]): Access {
  const access: { -readonly [V in Verb]?: Partition[] } = {};
  for (const verb of Object.keys(verbs) as Verb[]) {
    const named = [...new Set(all.flatMap((each) => each[verb] ?? []))];
    if (named.length > 0) access[verb] = named;
  }
  return access;
}

/**
 * The actions of a grant with the patterns of the partitions that each is allowed in. Actions on the same partitions go
 * together; one action is never in two, because IAM must find all keys of a batch in one statement.
 */
export function onPartitions(access: Access): { actions: string[]; patterns: string[] }[] {
  const found = new Map<string, { actions: string[]; patterns: string[] }>();
  for (const [verb, actions] of Object.entries(verbs)) {
    // In the order of their definition, so that equal ones are found.
    const named = Object.keys(partitions).filter((name) =>
      access[verb as Verb]?.includes(name as Partition),
    );
    const patterns = named.map((name) => partitions[name as Partition]);
    if (patterns.length === 0) continue;
    const key = patterns.join();
    const same = found.get(key) ?? { actions: [], patterns };
    found.set(key, same);
    same.actions.push(...actions);
  }
  return [...found.values()];
}

/** What one function may do, and nothing else: in the table partition by partition, and beside it. */
export type Grant = Access & {
  /** Query on these indexes; it does not imply Query on the table. */
  indexes?: readonly IndexName[];
  /** `read` for functions that sign tokens; `rotate` for the rotation alone. */
  signingSecret?: 'read' | 'rotate';
  /** For functions that derive the tokens and codes in mails. */
  mailSecret?: 'read';
  /** For functions that derive the secrets of webhooks. */
  webhookSecret?: 'read';
  /** Sends mail as any identity of the account: projects have senders of their own. */
  sendMail?: true;
  /** Has the sender of webhooks invoked later, by one-time schedules. */
  schedule?: true;
  /** Is invoked without anyone who waits, and tells the dead letters what it gave up. */
  asynchronous?: true;
  /** Reads the table's stream, and sends what it tells of to the queues. */
  stream?: true;
  /** Is fed from this queue. */
  takes?: QueueName;
  /** Puts events on the bus. */
  publish?: true;
  /** Derives the wallet address of a user that it reads, or signs in, for the first time. */
  wallets?: true;
};
