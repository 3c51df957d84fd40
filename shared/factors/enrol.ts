import type { PersonCaller } from '../access/caller.ts';
import type { SessionItem } from '../access/live-session.ts';
import type { Project } from '../access/projects.ts';
import type { Factor } from '../contract/factors.ts';
import { getItem } from '../db/batch-loader.ts';
import { type Change, change, put, update } from '../db/change.ts';
import { and, where } from '../db/condition.ts';
import { epochSeconds } from '../db/item.ts';
import { modifiedAt } from '../db/modified-at.ts';
import { withEvents } from '../db/outbox.ts';
import { keys } from '../db/schema.ts';
import { getUser, type UserItem, unchangedSince } from '../identity/users.ts';
import { ApiError } from '../model/errors.ts';
import { newSecret } from '../model/ids.ts';
import { lifetimes } from '../model/limits.ts';
import { type FactorItem, isConfirmed, notice, secretOf, toFactor } from './factors.ts';
import { countGuess, endCount, isPending, requireStep } from './prove.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { encodeBase32, otpauthUri } from './totp.ts';

/** Throws `sign_in_method_disabled` if the project has no second factors. */
export function requireMfa({ mfa = 'off' }: Project): void {
  if (mfa === 'off') throw new ApiError('sign_in_method_disabled');
}

/**
 * Starts the enrolment of an authenticator app, in the session that has just confirmed the password. It replaces one that
 * was not confirmed, and ends by itself. Refused with `factor_exists` if the user has a factor.
 */
export function startTotp(
  { project, session_id }: PersonCaller,
  { uid, project_id, email }: UserItem,
  key: Buffer,
  now: Date,
) {
  const item: FactorItem = {
    ...keys.factor(uid),
    ...{ uid, project_id, session_id, factor_id: newSecret() },
    created_at: now.toISOString(),
    expires_at: epochSeconds(now) + lifetimes.factorEnrolment,
  };
  const secret = encodeBase32(secretOf(item, key));
  const account = email === '' ? uid : email;
  return change(
    { factor: put<FactorItem>(item, where('attribute_not_exists(#confirmed_at)')) },
    {
      secret,
      uri: otpauthUri(secret, { issuer: project.name, account }),
      expires_in: lifetimes.factorEnrolment,
    },
    () => new ApiError('factor_exists'),
  );
}

/**
 * Confirms the enrolment of the session by a first code, and gives the recovery codes. From then on the user has a second
 * factor, and is told by mail. Throws `not_found` without an enrolment, `invalid_credentials` or `too_many_requests`.
 */
export async function confirmTotp(
  { project_id, uid, session_id }: PersonCaller,
  code: string,
  key: Buffer,
  now: Date,
): Promise<Change<Factor & { recovery_codes: string[] }>> {
  const [user, session, factor] = await Promise.all([
    getUser(project_id, uid),
    getItem<SessionItem>(keys.session(uid, session_id)),
    countGuess(uid, 'code', now, isPending(session_id, now)),
  ]);
  if (!user || !session)
    throw new ApiError('unauthenticated', { reason: 'the user or the session was deleted' });
  // A further try of this request may find another state than the one that was counted.
  if (isConfirmed(factor)) throw new ApiError('factor_exists');
  const { factor_id } = factor;
  if (factor.session_id !== session_id)
    throw new ApiError('not_found', { reason: 'another enrolment has replaced it' });
  const last_step = requireStep(factor, code, key, now);
  const { recovery_codes, digests } = newRecoveryCodes(uid, key);
  const confirmed = {
    confirmed_at: now.toISOString(),
    last_step,
    recovery_digests: digests,
  };
  const ended = endCount(factor, now);
  const changes = {
    set: { factor_method: session.method, modified_at: modifiedAt(now, user) },
    add: { version: 1 },
  };
  return change(
    {
      factor: update<FactorItem>(
        keys.factor(uid),
        {
          ...ended,
          set: { ...ended.set, ...confirmed },
          remove: [...(ended.remove ?? []), 'session_id', 'expires_at'],
        },
        and(isPending(session_id, now), where('#factor_id = :factor_id', { factor_id })),
      ),
      user: update<UserItem>(
        keys.user(uid),
        withEvents(changes, { type: 'user.factor_added' }),
        unchangedSince(user),
      ),
      ...notice('factor_added', user, now),
    },
    { ...toFactor({ ...factor, ...confirmed }), recovery_codes },
  );
}
