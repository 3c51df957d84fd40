import { isLiveSession, type SessionItem } from '../../access/live-session.ts';
import { del } from '../../db/change.ts';
import { sessionPrefix } from '../../db/key-prefixes.ts';
import { keys } from '../../db/keys.ts';
import { query, queryPages } from '../../db/query.ts';
import { transact } from '../../db/transaction.ts';

/**
 * All stored sessions of a user, newest first: revoked, idle and expired ones too, as long as their items are there.
 */
export async function listStoredSessions(uid: string): Promise<SessionItem[]> {
  return newestFirst((await query<SessionItem>(sessionsOf(uid))).items);
}

/** Sessions that have ended but stay stored, so that a token of theirs is refused with the reason. */
const mostEnded = 25;

/** Items of one read, and so writes of one transaction. A request that is out of time has deleted those before. */
const pageSize = 100;

/**
 * The stored sessions of a user, newest first, after deleting all but the newest 25 of those that have ended. A user
 * who reuses refresh tokens on purpose would otherwise store more sessions than a request that ends them all has time
 * for.
 */
export async function trimSessions(uid: string, now: Date): Promise<SessionItem[]> {
  let kept: SessionItem[] = [];
  for await (const items of queryPages<SessionItem>({ ...sessionsOf(uid), limit: pageSize })) {
    const stored = newestFirst([...kept, ...items]);
    const surplus = stored.filter((session) => !isLiveSession(session, now)).slice(mostEnded);
    if (surplus.length > 0)
      await transact(
        Object.fromEntries(
          surplus.map(({ session_id }) => [session_id, del(keys.session(uid, session_id))]),
        ),
      );
    kept = stored.filter((session) => !surplus.includes(session));
  }
  return kept;
}

const sessionsOf = (uid: string) => ({ partition: keys.user(uid).pk, prefix: sessionPrefix });

const newestFirst = (sessions: readonly SessionItem[]): SessionItem[] =>
  sessions.toSorted((a, b) => (ageOf(a) < ageOf(b) ? 1 : -1));

/** Sort key: creation time, then id. */
const ageOf = ({ created_at, session_id }: SessionItem): string => `${created_at} ${session_id}`;
