import { normalizeEmail } from '../model/email.ts';
import { sha256 } from '../model/ids.ts';
import {
  apiKeyPrefix,
  apiKeyUsePrefix,
  attemptPrefix,
  changesPrefix,
  domainPrefix,
  eventPrefix,
  idempotencyPrefix,
  joinLinkPrefix,
  joinRequestPrefix,
  mailboxSortKey,
  mailSortKey,
  monthPrefix,
  passkeyPrefix,
  prefixes,
  publicKeys,
  sessionPrefix,
  statsPrefix,
  userSortKey,
  webhookPrefix,
  workspaceSortKey,
} from './key-prefixes.ts';

/** What the directory of a project lists. */
export type Listed = 'USERS' | 'WORKSPACES';

export type Key = { pk: string; sk: string };

const ofWorkspace = (workspaceId: string, sk: string): Key => ({ pk: `WS#${workspaceId}`, sk });

/**
 * The key of every item. Ids never contain `#` (the contract checks it), but an e-mail may, so it comes last. The
 * sort-key prefix of a member item is its status, so each status is a range of its own.
 */
export const keys = {
  project: (projectId: string): Key => ({ pk: `PROJECT#${projectId}`, sk: 'PROJECT' }),
  /** Makes the domain of hosted pages unique. */
  pagesDomain: (domain: string): Key => ({ pk: `PAGES_DOMAIN#${domain}`, sk: 'PAGES_DOMAIN' }),
  /** What a provider's name stands for in all projects. */
  providerName: (name: string): Key => ({ pk: `PROVIDER_NAME#${name}`, sk: 'PROVIDER_NAME' }),
  secretUse: (projectId: string, secretId: string): Key => ({
    pk: `SECRET_USE#${projectId}`,
    sk: secretId,
  }),
  publicKey: (kid: string): Key => ({ pk: publicKeys, sk: `KEY#${kid}` }),
  /** Behind the RSA keys, and not among them: releases before 0.8.0 read those alone, and could not read these. */
  publicEs256Key: (kid: string): Key => ({ pk: publicKeys, sk: `KEY_ES256#${kid}` }),
  user: (uid: string): Key => ({ pk: `USER#${uid}`, sk: userSortKey }),
  emailGuard: (projectId: string, email: string): Key => ({
    pk: emailPartition(projectId, email),
    sk: 'EMAIL',
  }),
  /**
   * Bounces and complaints of an address, under its digest. The item outlives the user, its events do not stay on it.
   */
  mailbox: (projectId: string, email: string): Key => ({
    pk: `MAILBOX#${projectId}#${sha256(normalizeEmail(email))}`,
    sk: mailboxSortKey,
  }),
  /** Like an e-mail, an external id may contain `#`, so it comes last. */
  externalId: (listed: Listed, projectId: string, externalId: string): Key => ({
    pk: `EXTERNAL_ID#${listed}#${projectId}#${externalId}`,
    sk: 'EXTERNAL_ID',
  }),
  session: (uid: string, sessionId: string): Key => ({
    pk: `USER#${uid}`,
    sk: `${sessionPrefix}${sessionId}`,
  }),
  /** In the partition of its owner: a user or a workspace. */
  apiKey: ({ pk }: Key, keyId: string): Key => ({ pk, sk: `${apiKeyPrefix}${keyId}` }),
  /** When a key was last used, apart from it: a function that accepts keys must not be able to write them. */
  apiKeyUse: (ownerId: string, keyId: string): Key => ({
    pk: `API_KEY_USE#${ownerId}`,
    sk: `${apiKeyUsePrefix}${keyId}`,
  }),
  /** Marks that the first use of a key is an event. */
  apiKeyFirstUse: (ownerId: string, keyId: string): Key => ({
    pk: `API_KEY_USE#${ownerId}`,
    sk: `FIRST#${keyId}`,
  }),
  /** The requests with a key in one minute. */
  apiKeyRate: (ownerId: string, keyId: string, window: number): Key => ({
    pk: `API_KEY_USE#${ownerId}`,
    sk: `RATE#${window}#${keyId}`,
  }),
  /** In a partition of its own: the function that removes members must not be able to create users. */
  leftWorkspace: (uid: string, id: string): Key => ({ pk: `LEFT#${uid}`, sk: `WS#${id}` }),
  userMetadata: (uid: string): Key => ({ pk: `USER#${uid}`, sk: 'METADATA' }),
  password: (uid: string): Key => ({ pk: `USER#${uid}`, sk: 'PASSWORD' }),
  /** The kinds of password hashes that the project has imported. */
  importedHashes: (projectId: string): Key => ({
    pk: `IMPORTED_HASHES#${projectId}`,
    sk: 'KINDS',
  }),
  /** A subject may contain any character; its digest ends the key at a fixed length. */
  identity: (projectId: string, issuer: string, subject: string): Key => ({
    pk: `IDENTITY#${projectId}#${sha256(`${issuer}\n${subject}`)}`,
    sk: 'IDENTITY',
  }),
  providerTokens: (projectId: string, issuer: string, subject: string): Key => ({
    pk: `PROVIDER_TOKENS#${projectId}#${sha256(`${issuer}\n${subject}`)}`,
    sk: 'TOKENS',
  }),
  /** In the partition of its user, whose id an authenticator returns with each assertion: one read finds it. */
  passkey: (uid: string, passkeyId: string): Key => ({
    pk: `USER#${uid}`,
    sk: `${passkeyPrefix}${passkeyId}`,
  }),
  /** Makes a credential id unique in its project. */
  passkeyGuard: (projectId: string, passkeyId: string): Key => ({
    pk: `PASSKEY#${projectId}#${passkeyId}`,
    sk: 'PASSKEY',
  }),
  passkeyChallenge: (challenge: string): Key => ({
    pk: `WEBAUTHN#${sha256(challenge)}`,
    sk: 'CHALLENGE',
  }),
  /** One a user: the authenticator app with its recovery codes. */
  factor: (uid: string): Key => ({ pk: `USER#${uid}`, sk: 'FACTOR' }),
  /** Between the first factor of a sign-in and the second. */
  mfaToken: (token: string): Key => ({ pk: `MFA#${sha256(token)}`, sk: 'MFA' }),
  signInLink: (linkId: string): Key => ({ pk: `SIGN_IN_LINK#${linkId}`, sk: 'LINK' }),
  challenge: (challengeId: string): Key => ({ pk: `CODE#${challengeId}`, sk: 'CODE' }),
  mailToken: (token: string): Key => ({ pk: `TOKEN#${sha256(token)}`, sk: 'TOKEN' }),
  /** Only the digest of the code, so that reading the table is not enough to redeem it. */
  authorizationCode: (code: string): Key => ({ pk: `OAUTH_CODE#${sha256(code)}`, sk: 'CODE' }),
  /** A sign-in that a browser has begun at an identity provider, by the digest of its state. */
  providerSignIn: (state: string): Key => ({ pk: `PROVIDER_STATE#${sha256(state)}`, sk: 'STATE' }),
  /** Who has signed in at a provider, by the digest of the one-time code. */
  providerCode: (code: string): Key => ({ pk: `PROVIDER_CODE#${sha256(code)}`, sk: 'CODE' }),
  mail: (mailId: string): Key => ({ pk: `MAIL#${mailId}`, sk: mailSortKey }),
  /** The subject is an e-mail or a network address; a digest is enough to count by. */
  rate: (name: string, subject: string, window: number): Key => ({
    pk: `RATE#${name}#${sha256(subject)}`,
    sk: `RATE#${window}`,
  }),
  /** Password attempts of an account, by e-mail; the account need not exist. */
  passwordTries: ({ project_id, email }: { project_id: string; email: string }): Key => ({
    pk: `RATE#passwordFailures#${sha256(`${project_id} ${normalizeEmail(email)}`)}`,
    sk: 'TRIES',
  }),
  /** The record of a request with an Idempotency-Key; the key has only digests of caller and Idempotency-Key. */
  idempotency: (caller: string, key: string): Key => ({
    pk: `${idempotencyPrefix}${caller}#${sha256(key)}`,
    sk: 'IDEMPOTENCY',
  }),
  /** The changes of a user in one minute. */
  changeRate: (uid: string, window: number): Key => ({
    pk: `${changesPrefix}${uid}`,
    sk: `RATE#${window}`,
  }),
  workspace: (workspaceId: string): Key => ofWorkspace(workspaceId, workspaceSortKey),
  workspaceMetadata: (workspaceId: string): Key => ofWorkspace(workspaceId, 'METADATA'),
  member: (workspaceId: string, uid: string): Key =>
    ofWorkspace(workspaceId, `${prefixes.accepted}${uid}`),
  invitation: (workspaceId: string, uid: string): Key =>
    ofWorkspace(workspaceId, `${prefixes.pending}${uid}`),
  /** Marks that an invitation deleted by DynamoDB was subtracted from the count. */
  expiredInvitation: (workspaceId: string, name: string): Key =>
    ofWorkspace(workspaceId, `EXPIRED#${name}`),
  /** In a partition of its own, so that no range query of the workspace reads it. A uid contains no `#`. */
  memberTerm: (workspaceId: string, term: string, uid: string): Key => ({
    pk: `FIND#${workspaceId}`,
    sk: `${term}#${uid}`,
  }),
  /** By the first character, so that many new users at once write to several partitions. */
  directoryTerm: (listed: Listed, projectId: string, term: string, id: string): Key => ({
    pk: `DIRECTORY#${listed}#${projectId}#${Array.from(term)[0] ?? ''}`,
    sk: `${term}#${id}`,
  }),
  /** By the month of creation, so that no partition takes all new users of a project. */
  directoryEntry: (listed: Listed, projectId: string, created_at: string, id: string): Key => ({
    pk: `DIRECTORY#${listed}#${projectId}#${created_at.slice(0, 7)}`,
    sk: `${created_at}#${id}`,
  }),
  /** A month (`2026-11`) in which a user or workspace of the project was created. */
  directoryMonth: (listed: Listed, projectId: string, month: string): Key => ({
    pk: `DIRECTORY#${listed}#${projectId}`,
    sk: `${monthPrefix}${month}`,
  }),
  joinLink: (workspaceId: string, linkId: string): Key =>
    ofWorkspace(workspaceId, `${joinLinkPrefix}${linkId}`),
  joinRequest: (workspaceId: string, uid: string): Key =>
    ofWorkspace(workspaceId, `${joinRequestPrefix}${uid}`),
  domain: (workspaceId: string, domain: string): Key =>
    ofWorkspace(workspaceId, `${domainPrefix}${domain}`),
  /** Permissions and roles that a project defines. Apart from the project, whose item has its secrets. */
  roles: (projectId: string, sk = 'DEFINITIONS'): Key => ({ pk: `ROLES#${projectId}`, sk }),
  webhook: (projectId: string, webhookId: string): Key => ({
    pk: `WEBHOOKS#${projectId}`,
    sk: `${webhookPrefix}${webhookId}`,
  }),
  webhookCount: (projectId: string): Key => ({ pk: `WEBHOOKS#${projectId}`, sk: 'COUNT' }),
  delivery: (webhookId: string, eventId: string): Key => ({
    pk: `DELIVERY#${webhookId}#${eventId}`,
    sk: 'DELIVERY',
  }),
  attempt: (webhookId: string, time: string, name: string): Key => ({
    pk: `ATTEMPTS#${webhookId}`,
    sk: `${attemptPrefix}${time}#${name}`,
  }),
  /** An event in the log of the user or workspace item of this partition, by its number in the log. */
  logEntry: (partition: string, number: number): Key => ({
    pk: `LOG#${partition}`,
    sk: `${eventPrefix}${padded(number)}`,
  }),
  logHead: (partition: string): Key => ({ pk: `LOG#${partition}`, sk: 'HEAD' }),
  /** An event in the feed of a project, by its position in the feed. */
  feedEntry: (projectId: string, position: number): Key => ({
    pk: `FEED#${projectId}`,
    sk: `${eventPrefix}${padded(position)}`,
  }),
  feedHead: (projectId: string): Key => ({ pk: `FEED#${projectId}`, sk: 'HEAD' }),
  /** A part of the counters of a project for a day (UTC), `2026-11-23`: the day is their sum. */
  statsDay: (projectId: string, day: string, part = 0): Key => ({
    pk: `STATS#${projectId}`,
    sk: `${statsPrefix}${day}${partName(part)}`,
  }),
  /** Failed sign-ins and lockouts of a day, apart from what is counted in transactions. */
  statsFailures: (projectId: string, day: string, part: number): Key => ({
    pk: `STATS#${projectId}`,
    sk: `${statsPrefix}${day}#FAILED${partName(part)}`,
  }),
  /** Behind all days, so that one query reads the last days and the totals. Part 0 also says since when is counted. */
  statsTotals: (projectId: string, part = 0): Key => ({
    pk: `STATS#${projectId}`,
    sk: `${statsPrefix}TOTALS${partName(part)}`,
  }),
} as const;

/** The sequence number of an event in its log or feed. */
export const sequenceOf = ({ sk }: Key): number => Number(sk.slice(eventPrefix.length));

/** The id of the workspace whose partition an item is in. */
export const workspaceIdOf = ({ pk }: Key): string => pk.slice(keys.workspace('').pk.length);

/** Pads a number, because numbers as text sort by value only at equal length. */
const padded = (place: number): string => String(place).padStart(15, '0');

/** The parts of a day's counters: the first has no name. */
const partName = (part: number): string => (part === 0 ? '' : `#${part}`);

/** The partition of an e-mail, in the table and in the index `by-email`. */
export function emailPartition(projectId: string, email: string): string {
  return `EMAIL#${projectId}#${normalizeEmail(email)}`;
}
