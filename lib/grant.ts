import type { IndexName } from '../shared/db/table-schema.ts';
import type { QueueName } from '../shared/events/queue-sort.ts';
import type { EnvironmentName } from '../shared/model/env.ts';

/**
 * The kinds of partitions of the table, with the pattern of their keys in IAM (`dynamodb:LeadingKeys`). IAM cannot
 * divide a partition: a function that may write `users` may also write passwords and sessions.
 */
export const partitions = {
  /** Settings of projects, and the digests of their secrets. */
  projects: 'PROJECT#*',
  /** The projects that have their own domain for their pages, by domain. */
  pagesDomains: 'PAGES_DOMAIN#*',
  /** Which issuer a provider's name stands for, and in which projects. */
  providerNames: 'PROVIDER_NAME#*',
  /** The public keys that verify tokens. */
  keys: 'KEYS',
  /** When a secret of a project was last used. */
  secretUses: 'SECRET_USE#*',
  /** When an API key was last used, and how often in a minute. */
  apiKeyUses: 'API_KEY_USE#*',
  /** Which workspaces a user has left. */
  leftWorkspaces: 'LEFT#*',
  /** Users, with their passwords, sessions and API keys. */
  users: 'USER#*',
  /** The kinds of password hashes that projects have imported, without any hash. */
  importedHashes: 'IMPORTED_HASHES#*',
  /** Which user has an e-mail. */
  emails: 'EMAIL#*',
  /** Which user or workspace has an external id. */
  externalIds: 'EXTERNAL_ID#*',
  /** Which user has an account at an identity provider. */
  identities: 'IDENTITY#*',
  /** Tokens of accounts at identity providers, encrypted. */
  providerTokens: 'PROVIDER_TOKENS#*',
  /** Which user has a passkey. */
  passkeys: 'PASSKEY#*',
  /** Challenges that passkeys sign. */
  passkeyChallenges: 'WEBAUTHN#*',
  /** Sign-ins that wait for the second factor. */
  mfaTokens: 'MFA#*',
  /** Sign-in codes sent by e-mail. */
  codes: 'CODE#*',
  /** Sign-in links sent by e-mail. */
  signInLinks: 'SIGN_IN_LINK#*',
  /** Authorization codes of OAuth clients. */
  authorizationCodes: 'OAUTH_CODE#*',
  /** Sign-ins that have begun at identity providers. */
  providerSignIns: 'PROVIDER_STATE#*',
  /** Codes of people who have signed in at identity providers. */
  providerCodes: 'PROVIDER_CODE#*',
  /** Mailed tokens to set a password, or to verify or change an e-mail. */
  tokens: 'TOKEN#*',
  /** Mails to be sent. */
  mails: 'MAIL#*',
  /** Bounces and complaints, by address. */
  mailboxes: 'MAILBOX#*',
  /** Counters of rate limits. */
  rates: 'RATE#*',
  /** Responses to requests with an Idempotency-Key, and how much each user has changed in a minute. */
  idempotency: 'IDEMPOTENCY#*',
  /** Workspaces, with their members, invitations, domains, join links and requests, and API keys. */
  workspaces: 'WS#*',
  /** Search terms of members. */
  memberTerms: 'FIND#*',
  /** Search keys of a project's users and workspaces, and the months that have any. */
  directory: 'DIRECTORY#*',
  /** Permissions and roles that projects define. */
  roles: 'ROLES#*',
  webhooks: 'WEBHOOKS#*',
  /** Deliveries to webhooks, and their attempts. */
  deliveries: 'DELIVERY#*',
  attempts: 'ATTEMPTS#*',
  /** Events of a user, a workspace or a project. */
  logs: 'LOG#*',
  feeds: 'FEED#*',
  /** Counters of projects. */
  stats: 'STATS#*',
} as const;
export type Partition = keyof typeof partitions;

/** The kinds by the common part of their keys: up to the first `#`, or the whole key. */
const kinds = new Map(
  Object.entries(partitions).map(([kind, pattern]) => [
    pattern.replace(/\*$/, ''),
    kind as Partition,
  ]),
);

/** The kind of partition of a key; undefined for an unknown one. */
export const partitionOf = (pk: string): Partition | undefined =>
  kinds.get(pk.slice(0, pk.indexOf('#') + 1) || pk);

/**
 * Operations on the items of a partition, with the DynamoDB actions that they need; IAM checks a transaction item by
 * item.
 */
export const verbs = {
  /** Read items by key, one or several. */
  get: ['GetItem', 'BatchGetItem'],
  /** Read a partition or a range of it. */
  query: ['Query'],
  /** Check a condition on an item in a transaction. */
  check: ['ConditionCheckItem'],
  put: ['PutItem'],
  /** Update an item, or create it if missing. */
  update: ['UpdateItem'],
  delete: ['DeleteItem'],
  /** Put and delete several items unconditionally. */
  batch: ['BatchWriteItem'],
} as const;
export type Verb = keyof typeof verbs;

/** The verbs that change items. */
export const writes = ['put', 'update', 'delete', 'batch'] as const satisfies readonly Verb[];

/** The allowed operations and their partitions. A partition that is not listed may not be used at all. */
export type Access = { readonly [V in Verb]?: readonly Partition[] };

/** The union of several accesses, with each partition once. */
export function joined(...all: readonly Access[]): Access {
  const access: { -readonly [V in Verb]?: Partition[] } = {};
  for (const verb of Object.keys(verbs) as Verb[]) {
    const named = [...new Set(all.flatMap((each) => each[verb] ?? []))];
    if (named.length > 0) access[verb] = named;
  }
  return access;
}

/**
 * The actions of a grant with the key patterns that each is allowed on. Actions on the same partitions share a
 * statement; one action is never in two statements, because IAM must find all keys of a batch in one statement.
 */
export function onPartitions(access: Access): { actions: string[]; patterns: string[] }[] {
  const found = new Map<string, { actions: string[]; patterns: string[] }>();
  for (const [verb, actions] of Object.entries(verbs)) {
    // In the order of definition, so that equal sets are recognised.
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

/** The secrets of a deployment, with the variable by which a function finds each. */
export const secretVariables = {
  /** For functions that sign tokens. */
  signing: 'SIGNING_SECRET_ID',
  /** For functions that derive the tokens and codes in mails. */
  mail: 'MAIL_SECRET_ID',
  /** For functions that derive the secrets of webhooks. */
  webhook: 'WEBHOOK_SECRET_ID',
  /** For functions that derive the secrets of second factors. */
  factor: 'FACTOR_SECRET_ID',
  /** For functions that verify captchas with a provider. */
  captcha: 'CAPTCHA_SECRET_ID',
  /** For the functions that redeem codes at identity providers: one client secret for each provider of a project. */
  providers: 'PROVIDER_SECRETS_PREFIX',
  /** For functions that store or return tokens of identity providers: the keys that encrypt these tokens. */
  providerToken: 'PROVIDER_TOKEN_SECRET_ID',
} as const satisfies Record<string, EnvironmentName>;
export type SecretName = keyof typeof secretVariables;
/** A function's permission on a secret. `rotate` includes `read`, and is only for the rotation. */
export type SecretUse = 'read' | 'rotate';

/** The secrets of a grant, in the order of their definition. */
export const secretsOf = ({ secrets = {} }: Grant): [SecretName, SecretUse][] =>
  (Object.keys(secretVariables) as SecretName[]).flatMap((name) => {
    const use = secrets[name];
    return use ? [[name, use]] : [];
  });

/** Everything that one function may do: on the table by partition, and on other resources. */
export type Grant = Access & {
  /** Query on these indexes; it does not imply Query on the table. */
  indexes?: readonly IndexName[];
  /** Only the signing keys are rotated by a function. */
  secrets?: { readonly [S in SecretName]?: S extends 'signing' ? SecretUse : 'read' };
  /** Sends mail from any identity of the account, because projects have senders of their own. */
  sendMail?: true;
  /** Creates one-time schedules that invoke the webhook sender later. */
  schedule?: true;
  /** Is invoked asynchronously; Lambda sends events that failed for good to the dead letters. */
  asynchronous?: true;
  /** Stores what it cannot process in the dead letters. */
  setsAside?: true;
  /** Reads the table's stream and sends its changes to the queues. */
  stream?: true;
  /** Is fed from this queue. */
  takes?: QueueName;
  /** Sends messages to this queue. */
  sends?: QueueName;
  /** Puts events on the bus. */
  publish?: true;
  /** Derives the wallet address of users that it reads or signs in for the first time. */
  wallets?: true;
};
