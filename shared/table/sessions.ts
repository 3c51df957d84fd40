import { Failure, notFound } from '../errors.ts';
import { newSessionId } from '../ids.ts';
import { lifetimes, limits } from '../limits.ts';
import { epochSeconds, type Item } from './item.ts';
import { query } from './query.ts';
import { getItem } from './read.ts';
import { keys, sessionPrefix } from './shape.ts';
import type { UserItem } from './users.ts';
import {
  both,
  check,
  type Changes,
  type Condition,
  ConditionFailed,
  create,
  remove,
  removeItem,
  transact,
  update,
  where,
  type Write,
} from './write.ts';

/** How a session came to be, as its user sees it in the list. */
export type Opening = {
  /** `idpw`, `email_code`, the name of an identity provider, or `project`. */
  method: string;
  user_agent?: string;
  /** The network, not the address: a list of sessions must not become a list of whereabouts. */
  address?: string;
};

export type SessionItem = Item &
  Opening & {
    session_id: string;
    uid: string;
    project_id: string;
    /** The only refresh token that is good; the one before it is answered for a minute. */
    counter: number;
    created_at: string;
    /** When the current pair of tokens was made. */
    rotated_at: string;
    /** Epoch seconds; moves with every refresh. */
    idle_expires_at: number;
    /** Epoch seconds; never moves. */
    expires_at: number;
    revoked_at?: string;
    revoked_reason?: 'refresh_token_reused';
  };

/** A new session, not yet stored. */
export function newSession(
  project_id: string,
  uid: string,
  opening: Opening,
  now: Date,
): SessionItem {
  const session_id = newSessionId();
  return {
    ...keys.session(uid, session_id),
    ...opening,
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
 * Stores a new session and notes the sign-in on its user, together with everything that goes with it: all or nothing.
 * Afterwards the user has at most 50 live sessions, of which the oldest ended. Throws `not_found`, `user_disabled`,
 * or `StaleRead` where what else it was held to has changed.
 */
export async function startSession(
  session: SessionItem,
  along: {
    /** What else changes on a user that exists, and while what holds. */
    changes?: Changes;
    condition?: Condition;
    /** A user that this very transaction makes. */
    newUser?: UserItem | undefined;
    writes?: Record<string, Write>;
    /** The writes end every other session: then there is none too many. */
    alone?: boolean;
  } = {},
): Promise<void> {
  const { project_id, uid, session_id, created_at } = session;
  const { changes = {}, condition, newUser, writes, alone = newUser !== undefined } = along;
  const signedIn = { last_sign_in_at: created_at, last_session_id: session_id };
  const admitted = where('#project_id = :project_id AND attribute_not_exists(#disabled)', {
    project_id,
  });
  try {
    await transact<string>({
      session: create(session),
      user: newUser
        ? create({ ...newUser, ...signedIn })
        : update(
            keys.user(uid),
            { ...changes, set: { ...changes.set, ...signedIn } },
            condition ? both(admitted, condition) : admitted,
          ),
      ...writes,
    });
  } catch (error) {
    if (!(error instanceof ConditionFailed) || newUser) throw error;
    const user = error.failed['user'] as UserItem | null | undefined;
    if (user === null || (user && user.project_id !== project_id)) throw notFound();
    if (user?.disabled) throw new Failure('user_disabled');
    throw error;
  }
  if (!alone) await endOldestSessions(session);
}

/**
 * Ends what is beyond 50. After the start, not before: so many as come at once, the last of them sees all, and where
 * there is much to end the others leave it to that one. The session has started whether or not this succeeds; the next
 * start makes up for it.
 */
async function endOldestSessions({ uid, session_id, created_at }: SessionItem): Promise<void> {
  try {
    const sessions = await listSessions(uid, new Date(created_at));
    const beyond = sessions.slice(limits.sessionsPerUser);
    if (beyond.length > 1) {
      const user = await getItem<UserItem>(keys.user(uid));
      if (user?.last_session_id !== session_id) return;
    }
    await Promise.all(beyond.map(endSession));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

/** The live sessions of a user, the newest first, in one and the same order for everyone who trims them. */
export async function listSessions(uid: string, now: Date): Promise<SessionItem[]> {
  return (await readSessions(uid))
    .filter((session) => isLive(session, now))
    .toSorted((a, b) => (ageOf(a) < ageOf(b) ? 1 : -1));
}

/** Every session that there is an item of. */
async function readSessions(uid: string): Promise<SessionItem[]> {
  const partition = keys.user(uid).pk;
  return (await query<SessionItem>({ partition, prefix: sessionPrefix })).items;
}

/** Sorts by age, and of the same millisecond by id. */
const ageOf = ({ created_at, session_id }: SessionItem): string => `${created_at} ${session_id}`;

/** A live session of a user in a project. Throws `not_found`. */
export async function requireSession(
  project_id: string,
  uid: string,
  session_id: string,
  now: Date,
): Promise<SessionItem> {
  const session = await getItem<SessionItem>(keys.session(uid, session_id));
  if (!session || session.project_id !== project_id || !isLive(session, now)) throw notFound();
  return session;
}

/** Ends a session: without its item neither token of it is good, and a refresh under way finds nothing to renew. */
export async function endSession(session: { uid: string; session_id: string }): Promise<void> {
  await removeItem(keys.session(session.uid, session.session_id));
}

/** DynamoDB's limit of writes in a transaction is 100; some are kept for what goes with the sessions. */
const mostEndings = 90;

/**
 * The writes that end every session of a user but those to keep. They are complete only in a transaction that holds the
 * user to `noSessionSince`: a session that starts in between must not slip through. `user` was read before. What has
 * expired ends too: by a clock that is behind, a refresh under way could still renew it.
 */
export async function endingsOf(
  { uid }: UserItem,
  keep: (session: SessionItem) => boolean = () => false,
): Promise<Record<string, Write>> {
  return endingsOfAll((await readSessions(uid)).filter((session) => !keep(session)));
}

/** Ends every session of a user but one, and answers how many lived. Throws `StaleRead` if another started meanwhile. */
export async function endAllSessions(user: UserItem, now: Date, except?: string): Promise<number> {
  const sessions = await readSessions(user.uid);
  const ending = sessions.filter(({ session_id }) => session_id !== except);
  if (ending.length > 0)
    await transact({
      ...(await endingsOfAll(ending)),
      user: check(keys.user(user.uid), noSessionSince(user)),
    });
  return ending.filter((session) => isLive(session, now)).length;
}

async function endingsOfAll(ending: SessionItem[]): Promise<Record<string, Write>> {
  // Only a burst of starts that nobody has trimmed yet is longer; all of them are to end anyway.
  await Promise.all(ending.slice(mostEndings).map(endSession));
  return Object.fromEntries(
    ending
      .slice(0, mostEndings)
      .map(({ uid, session_id }) => [`end ${session_id}`, remove(keys.session(uid, session_id))]),
  );
}

/** Holds the rest of a transaction to a session that has not ended. */
export const sessionExists = (uid: string, session_id: string): Write =>
  check(
    keys.session(uid, session_id),
    where('attribute_exists(#pk) AND attribute_not_exists(#revoked_at)'),
  );

/** Holds while no session of the user has started since it was read. */
export const noSessionSince = ({ last_session_id }: UserItem): Condition =>
  last_session_id === undefined
    ? where('attribute_not_exists(#last_session_id)')
    : where('#last_session_id = :last_session_id', { last_session_id });

/** Throws `unauthenticated` unless the session lives: so access ends when the session ends, not when its token does. */
export async function requireLiveSession(
  { uid, session_id, project_id }: { uid: string; session_id: string; project_id: string },
  now: Date,
): Promise<void> {
  const session = await getItem<SessionItem>(keys.session(uid, session_id));
  if (!session || session.project_id !== project_id || !isLive(session, now))
    throw new Failure('unauthenticated', { detail: 'The session has ended' });
}

/** Whether a session has neither ended nor expired. */
export function isLive(session: SessionItem, now: Date): boolean {
  return (
    session.revoked_at === undefined &&
    session.idle_expires_at > epochSeconds(now) &&
    session.expires_at > epochSeconds(now)
  );
}
