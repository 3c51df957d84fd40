import { isLive, type SessionItem } from '../access/live-session.ts';
import { getItem } from '../db/batch-loader.ts';
import { type Change, changeItem, unchanged, update, where } from '../db/change.ts';
import { epochSeconds } from '../db/item.ts';
import { withEvents } from '../db/outbox.ts';
import { keys } from '../db/schema.ts';
import { ifConditionHolds, transact } from '../db/transaction.ts';
import { ApiError } from '../model/errors.ts';
import { lifetimes, refreshes } from '../model/limits.ts';
import { unrevoked } from './sessions.ts';
import { userExists } from './users.ts';

/**
 * Moves a session to its next refresh token, once however many present the current one, and results in it.
 * The token just before gets the same successor again for 60 s, so neither a lost answer nor two tabs log anyone
 * out; an older one was stolen or copied: it ends the session. Refused with `unauthenticated`, `token_expired`,
 * `refresh_token_reused`, or `too_many_requests` to a client that does nothing but refresh.
 */
export function rotateSession(
  { uid, session_id, counter }: { uid: string; session_id: string; counter: number },
  project_id: string,
  now: Date,
): Change<SessionItem> {
  const key = keys.session(uid, session_id);
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
      condition: where(
        '#counter = :presented AND #project_id = :project_id AND attribute_not_exists(#revoked_at)' +
          ' AND #idle_expires_at > :now AND #expires_at > :now AND #created_at <= :old_enough',
        {
          presented: counter,
          project_id,
          now: epochSeconds(now),
          // A machine whose clock is ahead of ours may have started it.
          old_enough: new Date(
            now.getTime() - ageFor(counter) + lifetimes.clockTolerance * 1_000,
          ).toISOString(),
        },
      ),
    },
    () => getItem<SessionItem>(key),
    async (session) => {
      if (!session || session.project_id !== project_id || session.counter < counter)
        return new ApiError('unauthenticated', { detail: 'The session has ended' });
      if (session.revoked_reason === 'refresh_token_reused')
        return new ApiError('refresh_token_reused');
      if (!isLive(session, now))
        return new ApiError('token_expired', { detail: 'The session has expired' });
      if (session.counter === counter) {
        const missing = Date.parse(session.created_at) + ageFor(counter) - now.getTime();
        const retryAfter = Math.max(1, Math.ceil(missing / 1_000));
        return new ApiError('too_many_requests', { retryAfter });
      }
      const age = now.getTime() - Date.parse(session.rotated_at);
      if (session.counter === counter + 1 && age <= lifetimes.refreshGrace * 1_000)
        return unchanged(session);
      await revoke(session, now);
      return new ApiError('refresh_token_reused');
    },
  );
}

/** Milliseconds that a session must have lived to be refreshed once more after so many times. */
function ageFor(counter: number): number {
  return Math.max(0, counter + 1 - refreshes.burst) * refreshes.seconds * 1_000;
}

/** Revokes a session, and tells so once however many present the old token: the request is refused, and keeps this. */
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
  // Revoked or deleted meanwhile: ended all the same. Who meets another presenter of the token reads that.
  await ifConditionHolds(transact(writes, { rereadOnConflict: true }));
}
