import { isLiveSession, type SessionItem, type SessionOrigin } from '../../access/live-session.ts';
import { inChunks } from '../../db/batch-write.ts';
import { assert, type Change, change, del, noChange, update, type Write } from '../../db/change.ts';
import { and, attributeUnchanged, type Condition, exists, where } from '../../db/condition.ts';
import { epochSeconds } from '../../db/item.ts';
import { keys } from '../../db/keys.ts';
import { withEvents } from '../../db/outbox.ts';
import { currentRequest } from '../../db/request-context.ts';
import { transact } from '../../db/transaction.ts';
import type { EventDraft } from '../../model/events.ts';
import { newSessionId } from '../../model/ids.ts';
import { lifetimes } from '../../model/limits.ts';
import { type UserItem, userExists, userUnchanged } from '../users/users.ts';
import { forgetDevices } from './devices.ts';
import { listStoredSessions, trimSessions } from './stored-sessions.ts';

/** A new session, not yet stored. */
export function newSession(
  project_id: string,
  uid: string,
  { knownDevice, ...origin }: SessionOrigin,
  now: Date,
): SessionItem {
  const session_id = newSessionId();
  return {
    ...keys.session(uid, session_id),
    ...origin,
    // A token of another user of this computer says nothing about this one.
    ...(knownDevice?.uid === uid && { device: knownDevice.device }),
    session_id,
    uid,
    project_id,
    counter: 0,
    created_at: now.toISOString(),
    rotated_at: now.toISOString(),
    idle_expires_at: epochSeconds(now) + lifetimes.sessionIdle,
    expires_at: epochSeconds(now) + lifetimes.sessionAbsolute,
  };
}

/**
 * The live sessions of a user, newest first. The order is total, so that concurrent requests trim the same sessions.
 */
export async function listSessions(uid: string, now: Date): Promise<SessionItem[]> {
  return (await listStoredSessions(uid)).filter((session) => isLiveSession(session, now));
}

/**
 * Deletes the session item, which invalidates both tokens and any refresh in flight. Of several concurrent calls, only
 * one adds the event.
 */
export const endSession = (session: { uid: string; session_id: string }): Change<void> =>
  endSessions(session.uid, [session.session_id]);

/** Ends a session of a user who asks for it in another one. Stale if that ended meanwhile. */
export const endOtherSession = (uid: string, session_id: string, asking: string): Change<void> =>
  change(
    { ...endSession({ uid, session_id }).parts.writes, asking: sessionExists(uid, asking) },
    undefined,
    (failed) => ('user' in failed || 'asking' in failed ? undefined : noChange(undefined)),
  );

/** Ends sessions of a user, with one event each. Sessions that have already ended are skipped. */
export function endSessions(uid: string, session_ids: readonly string[]): Change<void> {
  if (session_ids.length === 0) return noChange(undefined);
  const ended = session_ids.map(
    (session_id): EventDraft => ({ type: 'session.ended', data: { session_id } }),
  );
  return change(
    {
      ...removals(uid, session_ids, unrevoked),
      user: update(keys.user(uid), withEvents({}, ...ended), userExists),
    },
    undefined,
    (failed) =>
      'user' in failed
        ? undefined
        : endSessions(
            uid,
            session_ids.filter((session_id) => !(removal(session_id) in failed)),
          ),
  );
}

/** A transaction has 100 writes at most (DynamoDB). The rest is for the writes that accompany the sessions. */
const maxDeletions = 85;

/** The writes that end sessions of one user, and the events for the user item. */
type Deletions = { writes: Record<string, Write>; events: EventDraft[] };
/** With the number of events that were added to the user item at once, and that of the live sessions among all. */
type SessionDeletions = Deletions & { recorded: number; live: number; set: { devices?: string[] } };

/**
 * Ends all sessions of a user that `keep` does not select. `set` is for the user's item: it leaves only the devices of
 * the sessions that stay. Only complete in a transaction that requires `noSessionSince` of the user as read before,
 * because a session may start in between. Expired sessions are deleted too: an instance whose clock is behind could
 * still refresh them.
 *
 * @param options.max sessions that the transaction has room for; the others end at once
 * @param options.besides writes that the transaction has beside those that usually accompany the sessions
 */
export async function sessionDeletions(
  user: UserItem,
  {
    keep = () => false,
    besides = 0,
    max = maxDeletions - besides,
  }: { keep?: (session: SessionItem) => boolean; besides?: number; max?: number } = {},
): Promise<SessionDeletions> {
  const { uid } = user;
  const { now } = currentRequest();
  const sessions = await trimSessions(uid, now);
  const ending = sessions.filter((session) => !keep(session));
  const room = Math.max(0, Math.min(max, maxDeletions));
  // Only a burst of new sessions that are not trimmed yet exceeds the maximum, or a user who loses dozens of accounts at
  // providers. Those sessions are deleted immediately, because all of them must end.
  let recorded = 0;
  for (const burst of inChunks(ending.slice(room), maxDeletions)) {
    const deletions = deletionsOf(uid, burst, now);
    await transact(deleteTogether(uid, deletions));
    recorded += deletions.events.length;
  }
  return {
    ...deletionsOf(uid, ending.slice(0, room), now),
    recorded,
    set: forgetDevices(user, sessions.filter(keep)),
    live: liveOf(ending, now),
  };
}

/**
 * Ends all sessions of a user but one, and the sign-ins that wait for a second factor, forgets their devices, and
 * returns how many sessions were live. Stale if the user changed, a session started, or the one of the request ended
 * meanwhile.
 */
export async function endAllSessions(user: UserItem, asking?: string): Promise<Change<number>> {
  const keep = ({ session_id }: SessionItem) => session_id === asking;
  const { writes, events, set, live } = await sessionDeletions(user, { keep });
  return change(
    {
      ...writes,
      user: update(
        keys.user(user.uid),
        withEvents({ set, increment: { sign_outs: 1 } }, ...events),
        and(userExists, noSessionSince(user)),
      ),
      ...(asking !== undefined && { asking: sessionExists(user.uid, asking) }),
    },
    live,
  );
}

function deletionsOf(uid: string, ending: SessionItem[], now: Date): Deletions {
  const session_ids = ending.map(({ session_id }) => session_id);
  const count = liveOf(ending, now);
  return {
    // The request that ends a session concurrently also adds its event, so the session must still exist to be counted
    // here.
    writes: removals(uid, session_ids, exists),
    events: count > 0 ? [{ type: 'user.sessions_ended', data: { count } }] : [],
  };
}

const liveOf = (sessions: SessionItem[], now: Date): number =>
  sessions.filter((session) => isLiveSession(session, now)).length;

function deleteTogether(uid: string, { writes, events }: Deletions): Record<string, Write> {
  if (events.length === 0) return writes;
  return { ...writes, user: update(keys.user(uid), withEvents({}, ...events), userExists) };
}

const removal = (session_id: string) => `end ${session_id}`;

const removals = (
  uid: string,
  session_ids: readonly string[],
  condition: Condition,
): Record<string, Write> =>
  Object.fromEntries(
    session_ids.map((session_id) => [
      removal(session_id),
      del(keys.session(uid, session_id), condition),
    ]),
  );

/** True while the session exists and is not revoked. */
export const unrevoked: Condition = where(
  'attribute_exists(#pk) AND attribute_not_exists(#revoked_at)',
);

/** Fails the transaction if the session has ended. */
export const sessionExists = (uid: string, session_id: string): Write =>
  assert(keys.session(uid, session_id), unrevoked);

/**
 * True while the user is unchanged, no session of the user has started, and nobody has ended all of them, since the
 * user was read. Of two who forget devices, the later would otherwise write a list of before the earlier.
 */
export const noSessionSince = (user: UserItem): Condition =>
  and(attributeUnchanged('last_session_id', user.last_session_id), noSignOutSince(user));

/** True while the user is unchanged, and nobody has ended all sessions of the user, since the user was read. */
export const noSignOutSince = (user: UserItem): Condition =>
  and(userUnchanged(user), attributeUnchanged('sign_outs', user.sign_outs));
