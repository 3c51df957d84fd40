import { isLiveSession, type SessionItem } from '../../access/live-session.ts';
import { getItem } from '../../db/batch-loader.ts';
import { inChunks } from '../../db/batch-write.ts';
import { type Change, type Changes, change, create, update, type Write } from '../../db/change.ts';
import { commit } from '../../db/commit.ts';
import { and, type Condition, existsInProject, where } from '../../db/condition.ts';
import { keys } from '../../db/keys.ts';
import { itemWithEvents, withEvents } from '../../db/outbox.ts';
import { currentRequest, StaleReadError } from '../../db/request-context.ts';
import { ApiError, notFound } from '../../model/errors.ts';
import type { EventDraft } from '../../model/events.ts';
import { limits } from '../../model/limits.ts';
import { userCreated } from '../users/new-user.ts';
import type { UserItem } from '../users/users.ts';
import { endSessions } from './sessions.ts';
import { trimSessions } from './stored-sessions.ts';

/**
 * Stores a new session with all accompanying writes, all or nothing. Records the sign-in on its user, unless somebody
 * else acts as the user. Afterwards the user has at most 50 live sessions; the oldest of OAuth clients end first.
 * Refused with `user_disabled`, or with `not_found` where there is no condition on the user; with one it is stale if the
 * user was deleted, so that the request says what it says of somebody whom nobody knows.
 */
export function startSession(
  session: SessionItem,
  options: {
    /** Further changes of an existing user, and their condition. */
    changes?: Changes;
    condition?: Condition;
    /** Events that come before the start of the session. */
    events?: readonly EventDraft[];
    /** A user that is created in the same transaction. */
    newUser?: UserItem | undefined;
    writes?: Record<string, Write>;
    /** True if the writes end all other sessions, so that none needs to be trimmed. */
    replacesAllSessions?: boolean;
  } = {},
): Change<void> {
  const { project_id, uid, session_id, created_at, method, actor } = session;
  const { changes = {}, condition, events = [], newUser, writes } = options;
  const { replacesAllSessions: alone = newUser !== undefined } = options;
  const signedIn = {
    ...(!actor && { last_sign_in_at: created_at }),
    last_session_id: session_id,
  };
  const started: EventDraft = {
    type: 'session.started',
    data: { session_id, method, ...(actor && { impersonator: actor.id, reason: actor.reason }) },
  };
  const admitted = and(
    existsInProject(project_id),
    where('attribute_not_exists(#disabled)'),
    condition,
  );
  // A public request has no actor until now: it is this user.
  currentRequest().subject = { project_id, uid };
  const start = change(
    {
      session: create(session),
      user: newUser
        ? create<UserItem>(
            itemWithEvents({ ...newUser, ...signedIn }, userCreated, ...events, started),
          )
        : update<UserItem>(
            keys.user(uid),
            withEvents({ ...changes, set: { ...changes.set, ...signedIn } }, ...events, started),
            admitted,
          ),
      ...writes,
    },
    undefined,
    ({ user }) => {
      if (newUser || user === undefined) return undefined;
      if (user === null || user.deleted_at !== undefined || user.project_id !== project_id)
        return condition ? undefined : notFound('the user is gone, or of another project');
      return user.disabled ? new ApiError('user_disabled') : undefined;
    },
  );
  return alone ? start : start.afterwards(() => endSessionsBeyond(session));
}

/**
 * Sessions that are ended in one write. Their events stay on the user item until its next write, and cost by their
 * size.
 */
const maxEvents = 25;

/**
 * Ends the sessions beyond 50. Runs after the start, so that of several concurrent starts the last one sees all
 * sessions; the others leave larger cleanups to it. If it fails, the session has started anyway, and the next start
 * repeats the cleanup.
 */
async function endSessionsBeyond(started: SessionItem): Promise<void> {
  const { uid, session_id, created_at } = started;
  try {
    const now = new Date(created_at);
    const sessions = (await trimSessions(uid, now)).filter((session) =>
      isLiveSession(session, now),
    );
    const count = Math.max(0, sessions.length - limits.sessionsPerUser);
    const beyond = inOrderOfEnd(sessions, started).slice(0, count);
    if (beyond.length > 1) {
      const user = await getItem<UserItem>(keys.user(uid));
      if (user?.last_session_id !== session_id) return;
    }
    for (const some of inChunks(beyond, maxEvents))
      await commit(
        endSessions(
          uid,
          some.map((each) => each.session_id),
        ),
      );
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof StaleReadError)) throw error;
  }
}

/**
 * The sessions that may end for a new one, in order: those in which somebody else acts as the user, those of the OAuth
 * client that starts one, those of other clients, then the user's own, each the oldest first. A client starts one for
 * every code, without the user: it must not sign out the user's devices, nor another client that may be one.
 */
function inOrderOfEnd(sessions: readonly SessionItem[], started: SessionItem): SessionItem[] {
  const others = sessions
    .filter(({ session_id }) => session_id !== started.session_id)
    .toReversed();
  const rank = ({ actor, client_id }: SessionItem) => {
    if (actor) return 0;
    if (client_id === undefined) return 3;
    return client_id === started.client_id ? 1 : 2;
  };
  return others.toSorted((a, b) => rank(a) - rank(b));
}
