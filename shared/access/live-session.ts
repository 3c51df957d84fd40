import { getItem } from '../db/batch-loader.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { ApiError } from '../model/errors.ts';
import type { KnownDevice } from './device-token.ts';

/** Origin of a session, as shown to its user in the list. */
export type SessionOrigin = {
  /** `idpw`, `email_code`, `email_link`, the name of an identity provider, or `project`. */
  method: string;
  user_agent?: string;
  /** The network, not the full address: a list of sessions must not become a location history. */
  address?: string;
  /** The device that its token has named. */
  knownDevice?: KnownDevice | undefined;
};

/** What is shown beside a first factor. */
export type SecondFactor = 'totp' | 'recovery_code' | 'passkey';

export type SessionItem = Item &
  Omit<SessionOrigin, 'knownDevice'> & {
    session_id: string;
    uid: string;
    project_id: string;
    /** Who acts as the user in it; absent for a session of the user's own. */
    actor?: { id: string; reason: string };
    /** The OAuth client that started it; absent for a session of the user's own. */
    client_id?: string;
    /** Which client of that id: when it was created. Absent before a code said so. */
    client_created_at?: string;
    /** The client proved itself with a secret, and must do so again to renew the session: at /token alone. */
    confidential?: true;
    /** What was shown after the first factor, in the sign-in or later; a passkey needs none. */
    second_factor?: SecondFactor;
    /** The device, where a token of the user's own has named it. */
    device?: string;
    /** The scopes granted to the client. */
    scope?: string;
    /** When the person signed in, where that was before the session, or has reauthenticated. */
    authenticated_at?: string;
    /** The same as the client learned it with its code, which no reauthentication moves. */
    first_authenticated_at?: string;
    /** When a browser took it into its cookie, where that was a while after the sign-in. */
    kept_at?: string;
    /**
     * The active workspace, which the user has chosen. Names no right: each request and each token reads the
     * membership.
     */
    workspace_id?: string;
    /** Counter of the only valid refresh token; the previous one is still answered for one minute. */
    counter: number;
    created_at: string;
    /** When the current pair of tokens was issued. */
    rotated_at: string;
    /** Epoch seconds; extended by every refresh. */
    idle_expires_at: number;
    /** Epoch seconds; fixed. */
    expires_at: number;
    revoked_at?: string;
    revoked_reason?: 'refresh_token_reused';
  };

export type NamedSession = { uid: string; session_id: string; project_id: string };

/** The session if it is live, by one strongly consistent read. Disabled and deleted users have no session. */
export async function findLiveSession(
  { uid, session_id, project_id }: NamedSession,
  now: Date,
): Promise<SessionItem | undefined> {
  const session = await getItem<SessionItem>(keys.session(uid, session_id));
  return session?.project_id === project_id && isLiveSession(session, now) ? session : undefined;
}

export const sessionEnded = (): ApiError =>
  new ApiError('unauthenticated', { detail: 'The session has ended' });

/** Throws `unauthenticated` unless the session is live, so access ends with the session, not with the token. */
export async function requireLiveSession(of: NamedSession, now: Date): Promise<SessionItem> {
  const session = await findLiveSession(of, now);
  if (!session) throw sessionEnded();
  return session;
}

/** Whether a session has neither ended nor expired. */
export function isLiveSession(session: SessionItem, now: Date): boolean {
  return (
    session.revoked_at === undefined &&
    session.idle_expires_at > epochSeconds(now) &&
    session.expires_at > epochSeconds(now)
  );
}
