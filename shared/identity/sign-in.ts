import type { SessionItem, SessionOrigin } from '../access/live-session.ts';
import { getProject, type Project } from '../access/projects.ts';
import { and, type Change, create, type Write, where } from '../db/change.ts';
import { modifiedAt } from '../db/modified-at.ts';
import { currentRequest } from '../db/request-context.ts';
import { newMail } from '../mail/mails.ts';
import { coarseNetwork } from '../model/client-network.ts';
import { ApiError, notFound } from '../model/errors.ts';
import type { EventDraft } from '../model/events.ts';
import { newUid } from '../model/ids.ts';
import { lifetimes, limits } from '../model/limits.ts';
import { resetCredentials } from './credential-reset.ts';
import { withDevice } from './devices.ts';
import { type Account, resetAttempts } from './password-attempts.ts';
import { newPassword, putPassword } from './passwords.ts';
import { newSession, noNewerSession, sessionDeletions } from './sessions.ts';
import { startSession } from './start-session.ts';
import { agreedAt } from './update-user.ts';
import { newUserWithWallet, withWallet } from './user-wallet.ts';
import {
  emailGuard,
  findUser,
  getUidByEmail,
  hasEmail,
  type Profile,
  type UserItem,
  unchangedSince,
} from './users.ts';

/** Where a request to sign in comes from. */
export type Client = { address: string; user_agent: string };

/** The ways to sign in that a project turns on as a whole. */
type Method = 'password_sign_in' | 'code_sign_in';

/** The project that a public request names. Throws `not_found`, or `sign_in_method_disabled`. */
export async function requireSignInMethod(project_id: string, method?: Method): Promise<Project> {
  currentRequest().subject = { project_id };
  // One that was made a moment ago may be remembered as unknown.
  const project =
    (await getProject(project_id)) ?? (await getProject(project_id, lifetimes.projectReread));
  if (!project) throw notFound('no such project');
  if (method && !project[method]) throw new ApiError('sign_in_method_disabled');
  return project;
}

/** How a session came to be, as its user may see it again. */
export const sessionOrigin = (method: string, { address, user_agent }: Client): SessionOrigin => ({
  method,
  // Control and formatting characters would forge or turn lines wherever the list is shown.
  user_agent: [...user_agent.replaceAll(/\p{C}/gu, ' ')].slice(0, limits.userAgent).join(''),
  address: coarseNetwork(address),
});

/** A session that has started, and for whom. */
export type SignedIn = { session: SessionItem; user: UserItem; created: boolean };

/** What a person says who may be about to become a user. */
type Newcomer = Profile & { agreed_terms?: Parameters<typeof agreedAt>[0] };

/** The attributes of a user that a new person brings along. */
export function newUserAttributes({ agreed_terms, ...profile }: Newcomer, now: Date): Profile {
  return { ...profile, ...agreedAt(agreed_terms, now) };
}

/**
 * Starts a session for whoever has just proven a mailbox, and perhaps sets a password. Where nobody has the e-mail, a
 * user is made. Where the e-mail was not proven before, whoever set up the user may have been somebody else: their
 * password, identities and sessions end, so that no account can be prepared for a victim to walk into.
 */
export async function signInByEmail(entry: {
  project: Project;
  email: string;
  opening: SessionOrigin;
  newcomer: Newcomer;
  /** Uses up what proves the mailbox. */
  proof: Write;
  /** The hash of a password to set. */
  hash?: string;
  /** What to throw where there is no user and none may be made. */
  ifUnknown: ApiError;
  /** Called with the user that there is while it is read, to refuse it. */
  validateUser?: (uid: string, reading: Promise<UserItem | undefined>) => Promise<void>;
}): Promise<Change<SignedIn>> {
  const { now } = currentRequest();
  const uid = await getUidByEmail(entry.project.project_id, entry.email);
  const reading = uid === undefined ? undefined : findUser(uid);
  const [found] =
    uid && reading ? await Promise.all([reading, entry.validateUser?.(uid, reading)]) : [];
  if (!found) return makeUser(entry, now);
  const user = await withWallet(found);
  const { project, email, opening, proof, hash } = entry;
  const session = newSession(project.project_id, user.uid, opening, now);
  // The user was read after it was known whose the e-mail is, and may have moved to another one in between.
  const unmoved = hasEmail(project.project_id, email);
  if (user.verified.email && hash === undefined) {
    const proven = where('#verified.#email = :proven', { proven: true });
    // The person who signs in reads this mailbox, so no mail is sent.
    return startSession(session, {
      changes: { set: withDevice(user, session) },
      condition: and(unmoved, proven),
      writes: { proof },
    }).as(() => ({ session, user: withLastSignIn(user, session), created: false }));
  }
  const swept = user.verified.email ? undefined : await resetCredentials(user);
  const set = {
    // Every other session ends, so every other device is unknown from now on.
    ...withDevice({}, session),
    verified: { ...user.verified, email: true },
    sign_in_methods: {
      ...(swept?.set.sign_in_methods ?? user.sign_in_methods),
      ...(hash !== undefined && { idpw: { enabled: true } }),
    },
    modified_at: modifiedAt(now, user),
  };
  const ended = swept ?? (await sessionDeletions(user));
  const facts: EventDraft[] = [
    ...(swept ? [{ type: 'user.email_verified' } as const] : []),
    ...passwordEvents(hash),
    ...ended.facts,
  ];
  const told = !swept && user.sign_in_methods?.['idpw'];
  const notice = newMail('password_changed', { project_id: project.project_id, to: email }, now);
  const kept = swept?.user ?? user;
  return startSession(session, {
    changes: { set, add: { version: 1 }, remove: swept?.gone ?? [] },
    condition: and(unmoved, and(unchangedSince(user), noNewerSession(user))),
    facts,
    replacesAllSessions: true,
    writes: {
      proof,
      ...ended.writes,
      ...passwordWrites(user.uid, hash, { project_id: project.project_id, email }, now),
      ...(told && { notice: create(notice) }),
    },
  }).as(() => ({ session, user: withLastSignIn({ ...kept, ...set }, session), created: false }));
}

async function makeUser(
  {
    project,
    email,
    opening,
    newcomer,
    proof,
    hash,
    ifUnknown: refusal,
  }: Parameters<typeof signInByEmail>[0],
  now: Date,
): Promise<Change<SignedIn>> {
  if (!project.sign_up) throw refusal;
  const { project_id } = project;
  const given = { ...newUserAttributes(newcomer, now), email, email_verified: true };
  const user: UserItem = {
    ...(await newUserWithWallet(project_id, newUid(now), now, given)),
    ...(hash !== undefined && { sign_in_methods: { idpw: { enabled: true } } }),
  };
  const session = newSession(project_id, user.uid, opening, now);
  return startSession(session, {
    newUser: { ...user, ...withDevice({}, session) },
    facts: passwordEvents(hash),
    writes: {
      proof,
      guard: emailGuard(user),
      ...passwordWrites(user.uid, hash, user, now),
    },
  }).as(() => ({ session, user: withLastSignIn(user, session), created: true }));
}

/** The user as the session's start left it. */
export const withLastSignIn = (user: UserItem, session: SessionItem): UserItem => ({
  ...user,
  last_sign_in_at: session.created_at,
});

/** What a new password tells. */
const passwordEvents = (hash: string | undefined): EventDraft[] =>
  hash === undefined ? [] : [{ type: 'user.password_changed' }];

/** Sets a password. Who has guessed at the one before it locks nobody out of this one. */
const passwordWrites = (
  uid: string,
  hash: string | undefined,
  account: Account,
  now: Date,
): Record<string, Write> =>
  hash === undefined
    ? {}
    : { password: putPassword(newPassword(uid, hash, now)), tries: resetAttempts(account) };
