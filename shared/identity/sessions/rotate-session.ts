import { isLiveSession, type SessionItem } from '../../access/live-session.ts';
import type { RefreshClaims } from '../../access/refresh-token.ts';
import { getItem } from '../../db/batch-loader.ts';
import { type Change, changeItem, noChange, update } from '../../db/change.ts';
import { and, where } from '../../db/condition.ts';
import { epochSeconds } from '../../db/item.ts';
import { keys } from '../../db/keys.ts';
import { withEvents } from '../../db/outbox.ts';
import { ifConditionHolds, transact } from '../../db/transaction.ts';
import { ApiError } from '../../model/errors.ts';
import { lifetimes } from '../../model/limits.ts';
import { refreshes } from '../../model/rates.ts';
import { userExists } from '../users/users.ts';
import type { Renewable } from './renewable.ts';
import { unrevoked } from './sessions.ts';

/**
 * Rotates a refresh token, once even under concurrency, and returns the session. The previous token gets the same
 * successor for 60 s, so that neither a lost response nor two tabs sign anyone out. An older token was stolen or
 * copied, and ends the session (RFC 9700, section 4.14.2). Refused with `unauthenticated`, `token_expired`,
 * `refresh_token_reused`, or `too_many_requests` if the client refreshes too often.
 */
export function rotateSession(
  { uid, session_id, counter, renewable }: RefreshClaims & { renewable: Renewable },
  project_id: string,
  now: Date,
): Change<SessionItem> {
  const key = keys.session(uid, session_id);
  const current = where(
    '#counter = :presented AND #project_id = :project_id AND attribute_not_exists(#revoked_at)' +
      ' AND #idle_expires_at > :now AND #expires_at > :now AND #created_at <= :old_enough',
    {
      presented: counter,
      project_id,
      now: epochSeconds(now),
      // An instance whose clock is ahead may have started the session.
      old_enough: new Date(
        now.getTime() - ageFor(counter) + lifetimes.clockTolerance * 1_000,
      ).toISOString(),
    },
  );
  return changeItem<SessionItem>(
    {
      key,
      changes: {
        set: {
          counter: counter + 1,
          rotated_at: now.toISOString(),
          idle_expires_at: epochSeconds(now) + lifetimes.sessionIdle,
        },
      },
      condition: and(current, renewable.condition),
    },
    () => getItem<SessionItem>(key),
    async (session) => {
      const isOurs = session?.project_id === project_id && renewable.includes(session);
      if (!isOurs || session.counter < counter) {
        // Only a restored table is older than a token.
        const reason = isOurs ? 'newer than the table' : 'no such session';
        return new ApiError('unauthenticated', { detail: 'The session has ended', reason });
      }
      if (session.revoked_reason === 'refresh_token_reused')
        return new ApiError('refresh_token_reused');
      if (!isLiveSession(session, now))
        return new ApiError('token_expired', { detail: 'The session has expired' });
      if (session.counter === counter) {
        const missing = Date.parse(session.created_at) + ageFor(counter) - now.getTime();
        const retryAfter = Math.max(1, Math.ceil(missing / 1_000));
        return new ApiError('too_many_requests', { retryAfter });
      }
      if (isGraced(session, counter, now)) return noChange(session);
      await revoke(session, now);
      return new ApiError('refresh_token_reused');
    },
  );
}

/** Whether the refresh token with this counter is that before the current one, and still gets the same successor. */
export function isGraced(session: SessionItem, counter: number, now: Date): boolean {
  const age = now.getTime() - Date.parse(session.rotated_at);
  return session.counter === counter + 1 && age <= lifetimes.refreshGrace * 1_000;
}

/** The minimum age of a session in milliseconds for the next refresh after `counter` ones. */
function ageFor(counter: number): number {
  return Math.max(0, counter + 1 - refreshes.burst) * refreshes.seconds * 1_000;
}

/**
 * Revokes a session and adds an event, once even if the old token is presented several times. Written although the
 * request is refused.
 */
async function revoke({ uid, session_id }: SessionItem, now: Date): Promise<void> {
  const set = { revoked_at: now.toISOString(), revoked_reason: 'refresh_token_reused' };
  const writes = {
    session: update(keys.session(uid, session_id), { set }, unrevoked),
    user: update(
      keys.user(uid),
      withEvents({}, { type: 'session.reuse_detected', data: { session_id } }),
      userExists,
    ),
  };
  // If the condition fails, the session was revoked or deleted meanwhile, so it has ended anyway. A concurrent request
  // with the same token gets the same error from the stored reason.
  await ifConditionHolds(transact(writes, { rereadOnConflict: true }));
}
