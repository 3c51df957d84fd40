import { routes } from '../shared/contract/api.ts';
import { changes } from '../shared/contract/route.ts';
import type { FunctionName } from '../shared/contract/functions.ts';
import { type IndexName, keys, publicKeys } from '../shared/table/shape.ts';

/** The DynamoDB actions that IAM knows; a transaction is authorised item by item. */
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem';

/** What one function may do, and nothing else. */
export type Grant = {
  /** On the table itself. */
  table: readonly TableAction[];
  /** Query on these indexes; it does not imply Query on the table. */
  indexes?: readonly IndexName[];
  /** `read` for whoever signs; `rotate` for the rotation alone. */
  signingSecret?: 'read' | 'rotate';
  /** For whoever derives the tokens and codes that mails carry. */
  mailSecret?: 'read';
  /** For whoever derives the secrets of webhooks. */
  webhookSecret?: 'read';
  /** Sends mail as any identity of the account: projects have senders of their own. */
  sendMail?: true;
  /** Puts items whose partition begins with `secretUsePrefix`, and no other. */
  secretUse?: true;
  /** Writes the records of Idempotency-Keys, whose partitions begin with `idempotencyPrefix`. */
  idempotency?: true;
  /** Writes the items that are kept from everybody else. */
  keeps?: Kept;
  /** Has the sender of webhooks invoked later, by one-time schedules. */
  schedule?: true;
  /** Is invoked without anyone who waits, and tells the dead letters what it gave up. */
  asynchronous?: true;
  /** Reads the table's stream. */
  stream?: true;
  /** Puts events on the bus. */
  publish?: true;
};

/**
 * Partitions that say who is believed: the public keys, by which tokens are good, and the projects, with the digests of
 * their secrets. Whoever may write the table may not write these, so a function that is taken over makes itself no key.
 */
export const keptPartitions = { keys: publicKeys, projects: `${keys.project('').pk}*` } as const;
export type Kept = keyof typeof keptPartitions;

/** The partitions that a function must not write, as far as it may write at all. */
export const keptFrom = ({ keeps }: Grant): string[] =>
  Object.entries(keptPartitions).flatMap(([kept, partition]) => (kept === keeps ? [] : partition));

/** Where it is noted, once a day, that a secret of a project was used. */
export const secretUsePrefix = keys.secretUse('', '').pk;

// GetItem beside BatchGetItem: one key alone is read by GetItem, several together by BatchGetItem.
const project = ['GetItem'] as const;
const person = ['GetItem', 'BatchGetItem', 'Query'] as const; // Query: the public keys of the tokens.

// Counts and writes what is mailed; looks at no account.
const mails = ['GetItem', 'PutItem', 'UpdateItem'] as const;
// Signs in whoever proved a mailbox, as a new user or one whose sessions end.
const mailbox = ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] as const;

/** What each function does by itself. A missing one does not compile; an unused one fails a test. */
const own: Record<FunctionName, Grant> = {
  'sessions.create': {
    table: [...project, 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    signingSecret: 'read',
  },
  'sessions.list': { table: ['GetItem', 'Query'] },
  'sessions.end': { table: [...person, 'UpdateItem', 'DeleteItem'] },
  'sessions.endAll': { table: [...person, 'UpdateItem', 'DeleteItem'] },
  'sessions.signOut': { table: ['GetItem', 'Query', 'UpdateItem', 'DeleteItem'] },
  'sessions.introspect': { table: ['GetItem', 'Query'] },
  'passwords.signUp': { table: mails, mailSecret: 'read' },
  'passwords.signIn': {
    table: [
      ...['GetItem', 'BatchGetItem', 'Query'],
      ...['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    ] as const,
    signingSecret: 'read',
  },
  'passwords.forgot': { table: mails, mailSecret: 'read' },
  'passwords.set': { table: [...mailbox, 'BatchGetItem'], signingSecret: 'read' },
  'passwords.change': { table: [...person, 'PutItem', 'UpdateItem', 'DeleteItem'] },
  'codes.start': { table: mails },
  'codes.verify': { table: mailbox, signingSecret: 'read', mailSecret: 'read' },
  'identities.signIn': {
    table: [
      ...(['GetItem', 'BatchGetItem', 'Query', 'PutItem'] as const),
      ...(['UpdateItem', 'DeleteItem', 'ConditionCheckItem'] as const),
    ],
    signingSecret: 'read',
  },
  'identities.link': { table: [...person, 'PutItem', 'UpdateItem'] },
  'identities.unlink': { table: [...person, 'PutItem', 'UpdateItem', 'DeleteItem'] },
  'emails.verify': { table: [...person, 'PutItem', 'UpdateItem'], mailSecret: 'read' },
  'emails.change': { table: [...person, 'PutItem', 'UpdateItem'], mailSecret: 'read' },
  'emails.confirm': {
    table: [...person, 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  'sessions.refresh': {
    table: ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem'],
    signingSecret: 'read',
  },
  'users.getMe': { table: person },
  'users.create': {
    table: [...project, 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['by-email'],
  },
  'users.get': { table: [...project, 'PutItem'] },
  'users.search': { table: [...project, 'BatchGetItem'] },
  'users.update': { table: [...person, 'PutItem', 'UpdateItem', 'DeleteItem'] },
  'users.delete': {
    table: [...person, 'UpdateItem', 'DeleteItem'],
    indexes: ['by-member'],
  },
  'users.getDeletion': { table: project },
  'users.export': { table: person, indexes: ['by-member'] },
  'workspaces.create': { table: [...project, 'PutItem', 'UpdateItem'] },
  'workspaces.list': { table: person, indexes: ['by-member'] },
  'workspaces.get': { table: person },
  'workspaces.update': { table: [...person, 'UpdateItem'] },
  'workspaces.delete': { table: [...person, 'UpdateItem'] },
  'workspaces.restore': { table: [...person, 'UpdateItem'] },
  'ownership.offer': { table: [...person, 'UpdateItem', 'ConditionCheckItem'] },
  'ownership.accept': { table: [...person, 'UpdateItem', 'ConditionCheckItem'] },
  'ownership.end': { table: [...person, 'UpdateItem'] },
  'workspaces.setAllowedDomains': {
    table: [...person, 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  'domains.list': { table: person },
  'domains.set': {
    table: [...person, 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  'domains.prove': { table: [...person, 'PutItem', 'UpdateItem', 'ConditionCheckItem'] },
  'workspaces.listJoined': { table: person, indexes: ['by-member'] },
  'workspaces.listInvited': { table: person, indexes: ['by-member', 'by-email'] },
  'members.join': {
    table: [...person, 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  'members.add': {
    table: [...person, 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  'members.list': { table: person },
  'members.get': { table: person },
  'members.remove': { table: [...person, 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'] },
  'members.suspend': { table: [...person, 'UpdateItem', 'ConditionCheckItem'] },
  'members.changeRole': { table: [...person, 'UpdateItem', 'ConditionCheckItem'] },
  'invitations.create': {
    table: [...person, 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    mailSecret: 'read',
  },
  'invitations.list': { table: person },
  'invitations.resend': {
    table: [...person, 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    mailSecret: 'read',
  },
  'invitations.end': { table: [...person, 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'] },
  'invitations.endByEmail': {
    table: [...person, 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  'invitations.accept': { table: [...person, 'PutItem', 'UpdateItem', 'DeleteItem'] },
  'webhooks.create': { table: [...project, 'PutItem', 'UpdateItem'], webhookSecret: 'read' },
  'webhooks.list': { table: [...project, 'Query'] },
  'webhooks.get': { table: project },
  'webhooks.update': { table: [...project, 'UpdateItem'] },
  'webhooks.delete': { table: [...project, 'UpdateItem', 'DeleteItem'] },
  'webhooks.rotateSecret': { table: [...project, 'UpdateItem'], webhookSecret: 'read' },
  'webhooks.listAttempts': { table: [...project, 'Query'] },
  'webhooks.redeliver': { table: [...project, 'Query', 'UpdateItem'], schedule: true },
  'events.list': { table: ['GetItem', 'Query'] },
  'events.listOfWorkspace': { table: [...person] },
  'joinRequests.create': {
    table: [...person, 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  'joinRequests.list': { table: person },
  'joinRequests.approve': {
    table: [...person, 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  'joinRequests.delete': { table: [...person, 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'] },
  'joinLinks.create': {
    table: [...person, 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  'joinLinks.list': { table: person },
  'joinLinks.revoke': { table: [...person, 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'] },
  'discovery.jwks': { table: ['Query'] },
  'discovery.openidConfiguration': { table: [] },
  'docs.openapi': { table: [] },
  'docs.page': { table: [] },
  'docs.asset': { table: [] },
  'fallback.answer': { table: [] },
  'stream.consume': {
    table: [
      ...(['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'] as const),
      ...(['DeleteItem', 'ConditionCheckItem', 'BatchWriteItem'] as const),
    ],
    indexes: ['by-member'],
    stream: true,
    publish: true,
  },
  'mail.send': {
    table: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    mailSecret: 'read',
    sendMail: true,
    stream: true,
  },
  'webhooks.deliver': {
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
    webhookSecret: 'read',
    schedule: true,
    asynchronous: true,
  },
  'keys.rotate': {
    table: ['Query', 'PutItem', 'UpdateItem'],
    signingSecret: 'rotate',
    keeps: 'keys',
  },
  'projects.operate': {
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['by-email'],
    keeps: 'projects',
  },
};

const ofProjects = new Set<string>(
  routes.filter(({ auth }) => auth.includes('project')).map(({ name }) => name),
);

const changing = new Set<string>(routes.filter(changes).map(({ name }) => name));

/**
 * The grants of every function: its own, the note on the secret for those that a project may call, and the records of
 * Idempotency-Keys for those that change something.
 */
export const grants = Object.fromEntries(
  Object.entries(own).map(([name, grant]) => [
    name,
    {
      ...grant,
      ...(ofProjects.has(name) && { secretUse: true }),
      ...(changing.has(name) && { idempotency: true }),
    },
  ]),
) as Record<FunctionName, Grant>;
