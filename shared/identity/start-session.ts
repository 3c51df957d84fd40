import type { SessionItem } from '../access/live-session.ts';
import { getItem } from '../db/batch-loader.ts';
import { inChunks } from '../db/batch-write.ts';
import {
  and,
  type Change,
  type Changes,
  type Condition,
  change,
  create,
  update,
  type Write,
  where,
} from '../db/change.ts';
import { commit } from '../db/commit.ts';
import { itemWithEvents, withEvents } from '../db/outbox.ts';
import { currentRequest, StaleReadError } from '../db/request-context.ts';
import { keys } from '../db/schema.ts';
import { ApiError, notFound } from '../model/errors.ts';
import type { EventDraft } from '../model/events.ts';
import { limits } from '../model/limits.ts';
import { endSessions, listSessions } from './sessions.ts';
import { type UserItem, userCreated, userExists } from './users.ts';

/**
 * Stores a new session and notes the sign-in on its user, together with everything that goes with it: all or nothing.
 * Afterwards the user has at most 50 live sessions, of which the oldest ended. Refused with `not_found` or
 * `user_disabled`.
 */
export function startSession(
  session: SessionItem,
  along: {
    /** What else changes on a user that exists, and while what holds. */
    changes?: Changes;
    condition?: Condition;
    /** What all this tells, between the making of a user and the start. */
    facts?: readonly EventDraft[];
    /** A user that this very transaction makes. */
    newUser?: UserItem | undefined;
    writes?: Record<string, Write>;
    /** The writes end every other session: then there is none too many. */
    replacesAllSessions?: boolean;
  } = {},
): Change<void> {
  const { project_id, uid, session_id, created_at, method } = session;
  const { changes = {}, condition, facts = [], newUser, writes } = along;
  const { replacesAllSessions: alone = newUser !== undefined } = along;
  const signedIn = { last_sign_in_at: created_at, last_session_id: session_id };
  const started: EventDraft = { type: 'session.started', data: { session_id, method } };
  const admitted = and(
    userExists,
    where('#project_id = :project_id AND attribute_not_exists(#disabled)', { project_id }),
  );
  // At a public door nobody acts until it is known who came in: this user.
  currentRequest().subject = { project_id, uid };
  const start = change(
    {
      session: create(session),
      user: newUser
        ? create<UserItem>(
            itemWithEvents({ ...newUser, ...signedIn }, userCreated, ...facts, started),
          )
        : update<UserItem>(
            keys.user(uid),
            withEvents({ ...changes, set: { ...changes.set, ...signedIn } }, ...facts, started),
            condition ? and(admitted, condition) : admitted,
          ),
      ...writes,
    },
    undefined,
    ({ user }) => {
      if (newUser || user === undefined) return undefined;
      if (user === null || user.deleted_at !== undefined || user.project_id !== project_id)
        return notFound('the user is gone, or of another project');
      return user.disabled ? new ApiError('user_disabled') : undefined;
    },
  );
  return alone ? start : start.afterwards(() => endOldestSessions(session));
}

/** Ends that are told in one write: facts stay on the user's item until its next write, and cost by their size. */
const maxEvents = 25;

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
