import type { KeyObject } from 'node:crypto';
import type { PersonCaller } from '../access/caller.ts';
import type { SessionItem } from '../access/live-session.ts';
import type { Project } from '../access/projects.ts';
import type { Factor } from '../contract/factors.ts';
import { getItem } from '../db/batch-loader.ts';
import { type Change, change, put, update } from '../db/change.ts';
import { and, where } from '../db/condition.ts';
import { epochSeconds } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { modifiedAt } from '../db/modified-at.ts';
import { withEvents } from '../db/outbox.ts';
import { sessionExists } from '../identity/sessions/sessions.ts';
import { getUser, type UserItem, userUnchanged } from '../identity/users/users.ts';
import { noticeTo } from '../mail/mails.ts';
import { ApiError } from '../model/errors.ts';
import type { EventDraft } from '../model/events.ts';
import { newSecret } from '../model/ids.ts';
import { lifetimes } from '../model/limits.ts';
import {
  type FactorItem,
  factorAttribute,
  isConfirmed,
  toFactor,
  totpSecretOf,
} from './factors.ts';
import { countGuess, endCount, isPending, requireStep } from './prove.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { encodeBase32, otpauthUri } from './totp.ts';

/** Throws `sign_in_method_disabled` if the project has no second factors. */
export function requireMfa({ mfa = 'off' }: Project): void {
  if (mfa === 'off') throw new ApiError('sign_in_method_disabled');
}

/**
 * Starts the enrolment of an authenticator app, for the session that has just confirmed the password or the sign-in
 * whose first factor was just shown. It replaces one that was not confirmed, and ends by itself. Refused with
 * `factor_exists` if the user has a factor.
 */
export function startTotp(
  { project, session_id, ends }: Pick<PersonCaller, 'project' | 'session_id'> & { ends?: number },
  { uid, project_id, email }: UserItem,
  key: KeyObject,
  now: Date,
) {
  const expires_at = ends ?? epochSeconds(now) + lifetimes.factorEnrolment;
  const item: FactorItem = {
    ...keys.factor(uid),
    uid,
    project_id,
    session_id,
    factor_id: newSecret(),
    created_at: now.toISOString(),
    expires_at,
  };
  const secret = encodeBase32(totpSecretOf(item, key));
  const account = email === '' ? uid : email;
  return change(
    { factor: put<FactorItem>(item, where('attribute_not_exists(#confirmed_at)')) },
    {
      secret,
      uri: otpauthUri(secret, { issuer: project.name, account }),
      expires_in: expires_at - epochSeconds(now),
    },
    () => new ApiError('factor_exists'),
  );
}

/**
 * Confirms the enrolment of the session by a first code, and gives the recovery codes. From then on the user has a
 * second factor, and is told by mail. Throws `not_found` without an enrolment, `invalid_credentials` or
 * `too_many_requests`. Stale if the user changed, or the session ended meanwhile.
 */
export async function confirmTotp(
  { project_id, uid, session_id }: PersonCaller,
  code: string,
  key: KeyObject,
  now: Date,
): Promise<Change<Factor & { recovery_codes: string[] }>> {
  const [user, session, factor] = await Promise.all([
    getUser(project_id, uid),
    getItem<SessionItem>(keys.session(uid, session_id)),
    countEnrolment(uid, session_id, now),
  ]);
  if (!user || !session)
    throw new ApiError('unauthenticated', { reason: 'the user or the session was deleted' });
  const made = confirmFactor(factor, code, key, now);
  const changes = enrolled(user, session.method, now);
  return change(
    {
      factor: made.write,
      user: update<UserItem>(keys.user(uid), withEvents(changes, factorAdded), userUnchanged(user)),
      session: sessionExists(uid, session_id),
      ...noticeTo(user, 'factor_added', {}, now),
    },
    { ...toFactor(made.factor), recovery_codes: made.recovery_codes },
  );
}

export const factorAdded: EventDraft = { type: 'user.factor_added' };

/** What changes of a user who has added a factor, signed in by a method. */
export const enrolled = (user: UserItem, method: string, now: Date) => ({
  set: { [factorAttribute]: method, modified_at: modifiedAt(now, user) },
  add: { version: 1 },
});

/** An enrolment that waits to be confirmed, and for whom. */
type Pending = FactorItem & { session_id: string };

/**
 * Counts a guess on the enrolment of a session or sign-in. Throws `not_found`, `too_many_requests`, or `factor_exists`
 * once it is confirmed.
 */
export async function countEnrolment(uid: string, session_id: string, now: Date): Promise<Pending> {
  const factor = await countGuess(uid, now, session_id);
  // A further try of this request may find another state than the one that was counted.
  if (isConfirmed(factor)) throw new ApiError('factor_exists');
  if (factor.session_id !== session_id)
    throw new ApiError('not_found', { reason: 'another enrolment has replaced it' });
  return { ...factor, session_id };
}

/** Confirms an enrolment that was counted by a first code. Throws `invalid_credentials`. */
export function confirmFactor(pending: Pending, code: string, key: KeyObject, now: Date) {
  const { uid, factor_id, session_id } = pending;
  const last_step = requireStep(pending, code, key, now);
  const { recovery_codes, digests } = newRecoveryCodes(uid, key);
  const confirmed = {
    confirmed_at: now.toISOString(),
    last_step,
    recovery_digests: digests,
  };
  const ended = endCount(pending, now);
  const changes = {
    ...ended,
    set: { ...ended.set, ...confirmed },
    remove: [...(ended.remove ?? []), 'session_id', 'expires_at'],
  };
  const enrolmentUnchanged = and(
    isPending(session_id, now),
    where('#factor_id = :factor_id', { factor_id }),
  );
  return {
    factor: { ...pending, ...confirmed },
    recovery_codes,
    write: update<FactorItem>(keys.factor(uid), changes, enrolmentUnchanged),
  };
}
