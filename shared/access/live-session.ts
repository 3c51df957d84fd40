import { getItem } from '../db/batch-loader.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { keys } from '../db/schema.ts';
import { ApiError } from '../model/errors.ts';

/** How a session came to be, as its user sees it in the list. */
export type SessionOrigin = {
  /** `idpw`, `email_code`, the name of an identity provider, or `project`. */
  method: string;
  user_agent?: string;
  /** The network, not the address: a list of sessions must not become a list of whereabouts. */
  address?: string;
};

export type SessionItem = Item &
  SessionOrigin & {
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

type SessionOfToken = { uid: string; session_id: string; project_id: string };

/** Whether the session of an access token lives, by one consistent read; who is disabled or deleted has none. */
export async function hasLiveSession(
  { uid, session_id, project_id }: SessionOfToken,
  now: Date,
): Promise<boolean> {
  const session = await getItem<SessionItem>(keys.session(uid, session_id));
  return session !== undefined && session.project_id === project_id && isLive(session, now);
}

/** Throws `unauthenticated` unless the session lives: so access ends when the session ends, not when its token does. */
export async function requireLiveSession(of: SessionOfToken, now: Date): Promise<void> {
  if (!(await hasLiveSession(of, now)))
    throw new ApiError('unauthenticated', { detail: 'The session has ended' });
}

/** Whether a session has neither ended nor expired. */
export function isLive(session: SessionItem, now: Date): boolean {
  return (
    session.revoked_at === undefined &&
    session.idle_expires_at > epochSeconds(now) &&
    session.expires_at > epochSeconds(now)
  );
}
