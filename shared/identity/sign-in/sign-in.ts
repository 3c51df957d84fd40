import type { KeyObject } from 'node:crypto';
import { readDeviceToken } from '../../access/device-token.ts';
import type { SessionOrigin } from '../../access/live-session.ts';
import { getProjectWith, type Project } from '../../access/projects.ts';
import type { Profile } from '../../contract/profile.ts';
import { type Change, put, type Write } from '../../db/change.ts';
import { and, where } from '../../db/condition.ts';
import { modifiedAt } from '../../db/modified-at.ts';
import { currentRequest } from '../../db/request-context.ts';
import { noticeTo } from '../../mail/mails.ts';
import { coarseNetwork } from '../../model/client-network.ts';
import { ApiError, notFound } from '../../model/errors.ts';
import type { EventDraft } from '../../model/events.ts';
import { newUid } from '../../model/ids.ts';
import { limits } from '../../model/limits.ts';
import type { MfaRequired } from '../../model/user-resources.ts';
import { type Account, resetAttempts } from '../passwords/password-attempts.ts';
import { getPassword, newPassword, type PasswordItem } from '../passwords/passwords.ts';
import { withDevice } from '../sessions/devices.ts';
import { newSession, noSessionSince, sessionDeletions } from '../sessions/sessions.ts';
import { emailGuard } from '../users/new-user.ts';
import { agreedAt } from '../users/update-user.ts';
import { findUser, getUidByEmail, hasEmail, type UserItem } from '../users/users.ts';
import { newUserWithWallet, withWallet } from '../wallet/user-wallet.ts';
import { resetCredentials } from './credential-reset.ts';
import { hasOutlivedReset, type MailTokenItem } from './email-challenges.ts';
import { endKeys, noKeySince } from './end-keys.ts';
import { type SignedIn, startAsNewUser, startWithFirstFactor } from './first-factor.ts';

/** The client of a request to sign in. */
export type RequestClient = { address: string; user_agent: string };

/** Sign-in methods that a project enables as a whole. */
type Method = 'password_sign_in' | 'code_sign_in' | 'link_sign_in' | 'passkeys';

/** Returns the project of a public request. Throws `not_found`. */
export async function requirePublicProject(project_id: string): Promise<Project> {
  // A project that was just created may be cached as missing.
  const project = await getProjectWith(project_id);
  if (!project) throw notFound('no such project');
  return project;
}

/** The same where the project has a method. Throws `not_found`, or `sign_in_method_disabled` if it is off. */
export async function requireSignInMethod(project_id: string, method: Method): Promise<Project> {
  const project = await requirePublicProject(project_id);
  if (!project[method]) throw new ApiError('sign_in_method_disabled');
  return project;
}

/**
 * The origin of a session, as its user may see it later, and whether its device has signed in before.
 *
 * @param refreshSecret of the keys that sign device tokens too
 */
export const sessionOrigin = (
  method: string,
  { address, user_agent }: RequestClient,
  device_token: string | undefined,
  refreshSecret: KeyObject,
): SessionOrigin => ({
  method,
  knownDevice: readDeviceToken(device_token, refreshSecret),
  // Control and formatting characters could forge lines or reverse text where the list is shown.
  user_agent: [...user_agent.replaceAll(/\p{C}/gu, ' ')].slice(0, limits.userAgent).join(''),
  address: coarseNetwork(address),
});

/** The profile of a person who may become a user. */
type Newcomer = Profile & { agreed_terms?: Parameters<typeof agreedAt>[0] };

/** The attributes of a new user. */
export function newUserAttributes({ agreed_terms, ...profile }: Newcomer, now: Date): Profile {
  return { ...profile, ...agreedAt(agreed_terms, now) };
}

/** A person who has just verified a mailbox. */
type MailboxOwner = {
  project: Project;
  email: string;
  origin: SessionOrigin;
  newcomer: Newcomer;
  /** Consumes the token or code that proves the mailbox. */
  proof: Write;
  /** The hash of a new password. */
  hash?: string;
  /** Thrown when the user does not exist and sign-up is off. */
  ifUnknown: ApiError;
  /** The token that sets the password. Throws `mail_token_invalid` if the user has made it invalid since. */
  token?: MailTokenItem;
};

/**
 * Starts a session for a person who has just verified a mailbox, and optionally sets a password. Creates a user if the
 * e-mail has none. If the e-mail was not verified before, an attacker may have created the user: its password,
 * identities and sessions are removed, so that no account can be prepared for a victim (pre-hijacking).
 */
export async function signInByEmail(entry: MailboxOwner): Promise<Change<SignedIn | MfaRequired>> {
  const { now } = currentRequest();
  const uid = await getUidByEmail(entry.project.project_id, entry.email);
  const [found, password] =
    uid === undefined ? [] : await Promise.all([findUser(uid), entry.token && getPassword(uid)]);
  if (entry.token) requireUsable(entry.token, found, password, now);
  if (!found) return makeUser(entry, now);
  const user = await withWallet(found);
  return user.verified.email && entry.hash === undefined
    ? signInProven(entry, user, now)
    : signInAnew(entry, user, now);
}

/** The guard was read before the user, whose e-mail may have changed in between. */
const emailUnchanged = ({ project, email }: MailboxOwner) => hasEmail(project.project_id, email);

/** The mailbox was just used to sign in, so no mail about a new device is sent. */
function signInProven(entry: MailboxOwner, user: UserItem, now: Date) {
  const { project, origin, proof } = entry;
  const session = newSession(project.project_id, user.uid, origin, now);
  const proven = where('#verified.#email = :proven', { proven: true });
  return startWithFirstFactor(
    session,
    { project, user },
    {
      device: async () => ({ set: withDevice(user, session), writes: {} }),
      condition: and(emailUnchanged(entry), proven),
      writes: { proof },
    },
  );
}

/** Verifies the e-mail for the first time, sets the password, or both. All other sessions end. */
async function signInAnew(entry: MailboxOwner, user: UserItem, now: Date) {
  const { project, email, origin, proof, hash } = entry;
  const { project_id } = project;
  const session = newSession(project_id, user.uid, origin, now);
  const reset = user.verified.email ? undefined : await resetCredentials(user);
  const set = {
    verified: { ...user.verified, email: true },
    sign_in_methods: {
      ...(reset?.set.sign_in_methods ?? user.sign_in_methods),
      ...(hash !== undefined && { idpw: { enabled: true } }),
    },
    modified_at: modifiedAt(now, user),
  };
  const ended = reset ?? (await endSessionsAndKeys(user));
  const events: EventDraft[] = [
    ...(reset ? [{ type: 'user.email_verified' } as const] : []),
    ...passwordEvents(hash),
    ...ended.events,
  ];
  const replaces = user.sign_in_methods?.['idpw'] !== undefined;
  // All other sessions end, so all devices become unknown, and this one gets another name.
  const kept = { ...(reset?.user ?? user), devices: [] };
  const options = {
    device: async () => ({ set: withDevice(kept, session), writes: {} }),
    changes: {
      set,
      add: { version: 1 },
      increment: ended.increment,
      remove: reset?.removedAttributes ?? [],
    },
    condition: and(emailUnchanged(entry), ended.condition),
    events,
    replacesAllSessions: true,
    writes: {
      proof,
      ...ended.writes,
      ...passwordWrites(user.uid, hash, { project_id, email }, now),
      ...(replaces && noticeTo(user, 'password_changed', {}, now)),
    },
  };
  const changed = { ...kept, ...set };
  return startWithFirstFactor(session, { project, user: changed }, options);
}

/** Ends what a mailed password ends of a user whose e-mail is verified. */
async function endSessionsAndKeys(user: UserItem) {
  const [sessions, endedKeys] = await Promise.all([sessionDeletions(user), endKeys(user)]);
  return {
    condition: and(noSessionSince(user), noKeySince(user, sessions.recorded)),
    increment: endedKeys.increment,
    events: [...sessions.events, ...endedKeys.events],
    writes: sessions.writes,
  };
}

/** Throws `mail_token_invalid` if a token may no longer set the password of its mailbox's user. */
function requireUsable(
  token: MailTokenItem,
  user: UserItem | undefined,
  password: PasswordItem | undefined,
  now: Date,
): void {
  // A mail can set one password: tokens mailed before the last change are invalid.
  const replaced = password !== undefined && password.changed_at >= token.created_at;
  // Nobody needs a day to reset a password: for an account in use, every token expires as early as a reset token.
  const tooOld = user?.last_sign_in_at !== undefined && hasOutlivedReset(token, now);
  if (replaced || tooOld)
    throw new ApiError('mail_token_invalid', {
      reason: 'replaced by a newer password, or too old',
    });
}

async function makeUser(
  { project, email, origin, newcomer, proof, hash, ifUnknown: refusal }: MailboxOwner,
  now: Date,
): Promise<Change<SignedIn | MfaRequired>> {
  if (!project.sign_up) throw refusal;
  const { project_id } = project;
  const attributes = { ...newUserAttributes(newcomer, now), email, email_verified: true };
  const user: UserItem = {
    ...(await newUserWithWallet(project_id, newUid(now), attributes, now)),
    ...(hash !== undefined && { sign_in_methods: { idpw: { enabled: true } } }),
  };
  const session = newSession(project_id, user.uid, origin, now);
  return startAsNewUser(
    session,
    { project, user },
    {
      events: passwordEvents(hash),
      writes: {
        proof,
        guard: emailGuard(user),
        ...passwordWrites(user.uid, hash, user, now),
      },
    },
  );
}

const passwordEvents = (hash: string | undefined): EventDraft[] =>
  hash === undefined ? [] : [{ type: 'user.password_changed' }];

/**
 * The writes that set a password. They also delete the failed attempts at the previous one, so that an attacker cannot
 * lock the new one.
 */
const passwordWrites = (
  uid: string,
  hash: string | undefined,
  account: Account,
  now: Date,
): Record<string, Write> =>
  hash === undefined
    ? {}
    : { password: put(newPassword(uid, hash, now)), tries: resetAttempts(account) };
