import type { Profile } from '../../contract/profile.ts';
import { type Change, change, create, del, update, type Write } from '../../db/change.ts';
import { and, existsInProject, where } from '../../db/condition.ts';
import { byEmail } from '../../db/index-attributes.ts';
import { keys } from '../../db/keys.ts';
import { modifiedAt, notModifiedAfter, updateMonotonic } from '../../db/modified-at.ts';
import { withEvents } from '../../db/outbox.ts';
import { StaleReadError } from '../../db/request-context.ts';
import { freeExternalId, takeExternalId } from '../../directory/external-ids.ts';
import { ApiError, notFound } from '../../model/errors.ts';
import type { EventDraft, EventType } from '../../model/events.ts';
import { noSessionSince, sessionDeletions } from '../sessions/sessions.ts';
import { type CredentialReset, verifyEmailFirstTime } from '../sign-in/credential-reset.ts';
import { type EmailGuard, findUser, getUser, type UserItem, userUnchanged } from './users.ts';

/** `true` if the person agrees now; a string is the time when they did. */
type Agreement = { tos?: true | string | undefined; sign_up?: true | string | undefined };

/** The attributes that record what a person agrees to now. */
export const agreedAt = (terms: Agreement | undefined, now: Date) => ({
  agreed_tos_at: terms?.tos === true ? now.toISOString() : undefined,
  agreed_sign_up_at: terms?.sign_up === true ? now.toISOString() : undefined,
});

/** Changes a profile and returns the new user. Refused with `not_found`. */
export const updateUser = (
  project_id: string,
  uid: string,
  profile: Profile & ReturnType<typeof agreedAt>,
  now: Date,
): Change<UserItem> =>
  updateMonotonic<UserItem>(
    {
      key: keys.user(uid),
      changes: withEvents({ set: profile, add: { version: 1 } }, ...withProfileEvents(profile)),
      condition: existsInProject(project_id),
    },
    now,
    () => getUser(project_id, uid),
    () => notFound('no such user'),
  );

/**
 * Marks the e-mail of a user as verified on behalf of the backend, unless it already is. Resets the credentials that
 * were set up before, except the sessions that the backend started. Stale if the user has another e-mail now.
 *
 * @param writes further writes of the transaction, committed even if the e-mail is already verified
 */
export async function verifyEmail(
  found: UserItem,
  now: Date,
  writes: Record<string, Write> = {},
): Promise<Change<UserItem>> {
  const user = await findUser(found.uid);
  if (user?.verified.email && user.by_email_pk === found.by_email_pk) return change(writes, user);
  if (!user || user.by_email_pk !== found.by_email_pk) throw new StaleReadError();
  const proof = await verifyEmailFirstTime(user, ['project'], now);
  return change(
    {
      ...writes,
      ...proof.writes,
      user: update(keys.user(user.uid), proof.changes, proof.condition),
    },
    proof.user,
  );
}

/** Changes of a user besides the profile. */
type UserChanges = {
  email?: string | undefined;
  /** True if the new e-mail is verified. */
  email_verified?: boolean | undefined;
  /** The credential reset of the first verification. */
  reset?: CredentialReset | undefined;
  disabled?: boolean | undefined;
  /** Another external id than the user has; empty for none. */
  external_id?: string | undefined;
  profile?: Profile & ReturnType<typeof agreedAt>;
  /** Further writes of the same transaction. */
  writes?: Record<string, Write>;
};

/**
 * Changes a user in one transaction. A new e-mail or external id moves its guard; a disabled user loses all sessions.
 * Refused with `email_taken` or `external_id_taken`. Stale if the user changed or a session started since the user was
 * read.
 */
export async function changeUser(
  user: UserItem,
  requested: UserChanges,
  now: Date,
): Promise<Change<UserItem>> {
  const { project_id, uid } = user;
  const { email = user.email, email_verified = false, disabled, profile, writes = {} } = requested;
  const { reset, external_id } = requested;
  const before = keys.emailGuard(project_id, user.email);
  const after = keys.emailGuard(project_id, email);
  const moved = before.pk !== after.pk;
  const endings = disabled ? await sessionDeletions(user) : undefined;
  const set = {
    ...profile,
    ...reset?.set,
    ...endings?.set,
    ...(requested.email !== undefined && {
      email,
      ...byEmail(project_id, email),
      // Another spelling of the same address is the same, verified mailbox.
      verified: { ...user.verified, email: email_verified || (user.verified.email && !moved) },
    }),
    ...(disabled && { disabled }),
    ...(external_id && { external_id }),
    modified_at: modifiedAt(now, user),
  };
  const remove = [
    ...(disabled === false ? ['disabled'] : []),
    ...(external_id === '' ? ['external_id'] : []),
    ...(reset?.removedAttributes ?? []),
  ];
  const changes = { set, add: { version: 1 }, increment: reset?.increment ?? {}, remove };
  const events: EventDraft[] = [
    ...tell('user.email_changed', email !== user.email),
    // No event if the mailbox was already verified.
    ...tell('user.email_verified', email_verified && (moved || !user.verified.email)),
    ...(reset?.events ?? []),
    ...tell('user.disabled', disabled === true && !user.disabled),
    ...(endings?.events ?? []),
    ...tell('user.enabled', disabled === false && user.disabled === true),
    ...withProfileEvents({ ...profile, external_id }),
  ];
  const alone = disabled ? noSessionSince(user) : userUnchanged(user);
  const condition = and(reset?.condition ?? alone, notModifiedAfter(set.modified_at));
  const ours = where('#uid = :uid', { uid });
  const kept = Object.entries(reset?.user ?? user).filter(([name]) => !remove.includes(name));
  const changed = {
    ...Object.fromEntries(kept),
    ...withoutUndefined(set),
    version: user.version + 1,
  } as UserItem;
  return change(
    {
      ...writes,
      ...endings?.writes,
      ...reset?.writes,
      user: update(keys.user(uid), withEvents(changes, ...events), condition),
      guard: moved ? create<EmailGuard>({ ...after, uid }) : undefined,
      freed: moved && user.email !== '' ? del(before, ours) : undefined,
      ...(external_id !== undefined && externalIdWrites(user, external_id)),
    },
    changed,
    (failed) => {
      if (failed.user !== undefined) return undefined;
      if (failed.guard !== undefined) return new ApiError('email_taken');
      return failed.external_id === undefined ? undefined : new ApiError('external_id_taken');
    },
  );
}

/** Moves the guard of the external id of a user. */
function externalIdWrites({ project_id, uid: id, external_id }: UserItem, next: string) {
  const to = next === '' ? undefined : next;
  return {
    external_id: takeExternalId('USERS', { project_id, id, external_id: to }),
    freed_external_id: freeExternalId('USERS', { project_id, id, external_id }),
  };
}

const tell = (type: EventType, so: boolean): EventDraft[] => (so ? [{ type }] : []);

/**
 * The event of a profile change, with the names of the fields; the values come from the item images. The profile is not
 * read before, so a field that keeps its value is included.
 */
export function withProfileEvents(
  profile: Profile & Partial<ReturnType<typeof agreedAt>> & { external_id?: string | undefined },
): EventDraft[] {
  const set = Object.entries(profile).filter(([, value]) => value !== undefined);
  const named = set.map(([name]) => (name.startsWith('agreed_') ? 'agreed_terms' : name));
  const fields = [...new Set(named)];
  return fields.length > 0 ? [{ type: 'user.updated', data: { fields } }] : [];
}

function withoutUndefined(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
