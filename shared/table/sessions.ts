import { Failure, notFound } from '../errors.ts';
import { newSessionId } from '../ids.ts';
import { lifetimes } from '../limits.ts';
import type { Item } from './item.ts';
import { getItem } from './read.ts';
import { keys } from './shape.ts';
import {
  ConditionFailed,
  create,
  ifConditionHolds,
  transact,
  update,
  updateItem,
  where,
} from './write.ts';

export type SessionItem = Item & {
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

/** Starts a session for a user and notes the sign-in, both or neither. Throws `not_found`. */
export async function startSession(
  project_id: string,
  uid: string,
  now: Date,
): Promise<SessionItem> {
  const session_id = newSessionId();
  const session: SessionItem = {
    ...keys.session(uid, session_id),
    session_id,
    uid,
    project_id,
    counter: 0,
    created_at: now.toISOString(),
    rotated_at: now.toISOString(),
    idle_expires_at: seconds(now) + lifetimes.sessionIdle,
    expires_at: seconds(now) + lifetimes.sessionAbsolute,
  };
  const ours = where('#project_id = :project_id', { project_id });
  const signedIn = { set: { last_sign_in_at: now.toISOString() } };
  try {
    await transact({
      session: create(session),
      user: update(keys.user(uid), signedIn, ours),
    });
  } catch (error) {
    throw error instanceof ConditionFailed ? notFound() : error;
  }
  return session;
}

/** Throws `unauthenticated` unless the session lives: so access ends when the session ends, not when its token does. */
export async function requireLiveSession(
  { uid, session_id, project_id }: { uid: string; session_id: string; project_id: string },
  now: Date,
): Promise<void> {
  const session = await getItem<SessionItem>(keys.session(uid, session_id));
  if (!session || session.project_id !== project_id || !isLive(session, now))
    throw new Failure('unauthenticated', { detail: 'The session has ended' });
}

/**
 * Moves a session to its next refresh token, once however many present the current one, and returns it.
 * The token just before gets the same successor again for 60 s, so neither a lost answer nor two tabs log anyone
 * out; an older one was stolen or copied: it ends the session. Throws `unauthenticated`, `token_expired` or
 * `refresh_token_reused`.
 */
export async function rotateSession(
  { uid, session_id, counter }: { uid: string; session_id: string; counter: number },
  project_id: string,
  now: Date,
): Promise<SessionItem> {
  const key = keys.session(uid, session_id);
  try {
    return (await updateItem(
      key,
      {
        set: {
          counter: counter + 1,
          rotated_at: now.toISOString(),
          idle_expires_at: seconds(now) + lifetimes.sessionIdle,
        },
      },
      where(
        '#counter = :presented AND #project_id = :project_id AND attribute_not_exists(#revoked_at)' +
          ' AND #idle_expires_at > :now AND #expires_at > :now',
        { presented: counter, project_id, now: seconds(now) },
      ),
    )) as SessionItem;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const session = error.failed.item as SessionItem | null | undefined;
    if (!session || session.project_id !== project_id || session.counter < counter)
      throw new Failure('unauthenticated', { detail: 'The session has ended' });
    if (session.revoked_reason === 'refresh_token_reused')
      throw new Failure('refresh_token_reused');
    if (!isLive(session, now))
      throw new Failure('token_expired', { detail: 'The session has expired' });
    const age = now.getTime() - Date.parse(session.rotated_at);
    if (session.counter === counter + 1 && age <= lifetimes.refreshGrace * 1_000) return session;
    await revoke(session, now);
    throw new Failure('refresh_token_reused');
  }
}

async function revoke(session: SessionItem, now: Date): Promise<void> {
  const reason = { revoked_at: now.toISOString(), revoked_reason: 'refresh_token_reused' };
  const key = keys.session(session.uid, session.session_id);
  // Deleted meanwhile: ended all the same.
  await ifConditionHolds(updateItem(key, { setOnce: reason }, where('attribute_exists(#pk)')));
}

function isLive(session: SessionItem, now: Date): boolean {
  return (
    session.revoked_at === undefined &&
    session.idle_expires_at > seconds(now) &&
    session.expires_at > seconds(now)
  );
}

function seconds(now: Date): number {
  return Math.floor(now.getTime() / 1_000);
}
