import type { PersonCaller } from '../access/caller.ts';
import type { SessionItem } from '../access/live-session.ts';
import { getItem } from '../db/batch-loader.ts';
import { keys } from '../db/keys.ts';
import { getUser } from '../identity/users/users.ts';
import { ApiError } from '../model/errors.ts';
import { supportedScopes, userClaims } from './scopes.ts';

/**
 * The claims about its user that the client of a session was granted. A session that no client started is the user's
 * own, and has every claim. The session is read once, with the check that it is live.
 */
export async function userInfo({ project_id, uid, session_id }: PersonCaller) {
  const [user, session] = await Promise.all([
    getUser(project_id, uid),
    getItem<SessionItem>(keys.session(uid, session_id)),
  ]);
  if (!user || !session) throw new ApiError('unauthenticated', { reason: 'the user was deleted' });
  const granted =
    session.client_id === undefined ? supportedScopes.join(' ') : (session.scope ?? '');
  return { sub: uid, ...userClaims(user, granted) };
}
