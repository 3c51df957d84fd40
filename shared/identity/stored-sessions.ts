import { isLive, type SessionItem } from '../access/live-session.ts';
import { inChunks } from '../db/batch-write.ts';
import { del } from '../db/change.ts';
import { sessionPrefix } from '../db/key-prefixes.ts';
import { type Key, keys } from '../db/keys.ts';
import { query } from '../db/query.ts';
import { transact } from '../db/transaction.ts';

/** All stored sessions of a user, newest first: revoked, idle and expired ones too, as long as their items are there. */
export async function listStoredSessions(uid: string): Promise<SessionItem[]> {
  return newestFirst((await query<SessionItem>(sessionsOf(uid))).items);
}

/** Items of one read. A request that is out of time has deleted what the reads before the last one found too much. */
const pageSize = 1_000;

/** Sessions that have ended but stay stored, so that a token of theirs is refused with the reason. */
const mostEnded = 25;

/**
 * The stored sessions of a user, newest first, after deleting all but the newest 25 of those that have ended. A user who
 * reuses refresh tokens on purpose would otherwise store more sessions than a request that ends them all has time for.
 */
export async function trimSessions(uid: string, now: Date): Promise<SessionItem[]> {
  let kept: SessionItem[] = [];
  let after: Key | undefined;
  do {
    const page = await query<SessionItem>({
      ...sessionsOf(uid),
      limit: pageSize,
      ...(after && { after }),
    });
    const last = page.more ? page.items.at(-1) : undefined;
    after = last && keys.session(uid, last.session_id);
    const stored = newestFirst([...kept, ...page.items]);
    const surplus = new Set(stored.filter((session) => !isLive(session, now)).slice(mostEnded));
    await Promise.all(inChunks([...surplus], transactionSize).map(deleteTogether));
    kept = stored.filter((session) => !surplus.has(session));
  } while (after);
  return kept;
}

/** DynamoDB's limit of writes in one transaction. A batch would be one more permission of everything that signs in. */
const transactionSize = 100;

async function deleteTogether(sessions: readonly SessionItem[]): Promise<void> {
  await transact(
    Object.fromEntries(
      sessions.map(({ uid, session_id }) => [session_id, del(keys.session(uid, session_id))]),
    ),
  );
}

const sessionsOf = (uid: string) => ({ partition: keys.user(uid).pk, prefix: sessionPrefix });

const newestFirst = (sessions: readonly SessionItem[]): SessionItem[] =>
  sessions.toSorted((a, b) => (ageOf(a) < ageOf(b) ? 1 : -1));

/** Sort key: creation time, then id. */
const ageOf = ({ created_at, session_id }: SessionItem): string => `${created_at} ${session_id}`;
