/** Sort keys of users and workspaces. */
export const userSortKey = 'USER';
export const workspaceSortKey = 'WS';

/** Sort key of the mailbox items. */
export const mailboxSortKey = 'MAILBOX';

/** Sort key of the version of a project's roles, with their events: small, because requests read and check it. */
export const rolesVersionSortKey = 'ROLES';

/** Prefix of the partitions of all Idempotency-Key records, and of the counts of users' changes. */
export const idempotencyPrefix = 'IDEMPOTENCY#';
/**
 * Prefix of the partitions of the counts of users' changes. Every function that may be asked for a change may write them
 * already; in `RATE#` it could also set back the counts of guesses.
 */
export const changesPrefix = `${idempotencyPrefix}CHANGES#`;

/** Sort-key prefix of a membership by its status. */
export const prefixes = { accepted: 'MEMBER#', pending: 'INVITE#' } as const;

/** Sort-key prefixes of join links and join requests. */
export const joinLinkPrefix = 'LINK#';
export const joinRequestPrefix = 'REQUEST#';

/** Sort-key prefix of the events of a log or a feed. */
export const eventPrefix = 'EVENT#';

/** Sort-key prefix of the months of a directory. */
export const monthPrefix = 'MONTH#';

/** Sort-key prefix of the counters of a project. */
export const statsPrefix = 'COUNT#';

/** Sort-key prefix of the sessions of a user. */
export const sessionPrefix = 'SESSION#';

/** Sort-key prefix of the API keys of a user or workspace, and of the days of their last use. */
export const apiKeyPrefix = 'API_KEY#';
export const apiKeyUsePrefix = 'DAY#';

/** Sort-key prefix of the passkeys of a user. */
export const passkeyPrefix = 'PASSKEY#';

/** Sort key of mails; the mail function is fed by it. */
export const mailSortKey = 'MAIL';

/** Sort-key prefixes of the webhooks of a project, and of the delivery attempts of one. */
export const webhookPrefix = 'WEBHOOK#';
export const attemptPrefix = 'ATTEMPT#';

/** Sort-key prefix of the allowed domains of a workspace. */
export const domainPrefix = 'DOMAIN#';

/** The partition of the published signing keys. */
export const publicKeys = 'KEYS';
