import type { PersonCaller } from '../../access/caller.ts';
import { type SessionItem, sessionEnded } from '../../access/live-session.ts';
import { type Change, change, update } from '../../db/change.ts';
import { and } from '../../db/condition.ts';
import { keys } from '../../db/keys.ts';
import { withEvents } from '../../db/outbox.ts';
import type { EventDraft } from '../../model/events.ts';
import { unrevoked } from '../sessions/sessions.ts';
import { type UserItem, userExists, userUnchanged } from '../users/users.ts';
import type { Reauthentication } from './reauthentication-proof.ts';

/**
 * Moves the sign-in of a session to now, after its person has reauthenticated, and uses the proof up. What
 * the session has shown before stays; a second factor is added to it. Refused with `unauthenticated` if the session has
 * ended. Stale if the user has changed, such as by a second factor that would have been asked for.
 */
export function recordReauthentication(
  { uid, session_id }: PersonCaller,
  { user, session }: { user: UserItem; session: SessionItem },
  { method, second_factor, writes, events }: Reauthentication,
  now: Date,
): Change<SessionItem> {
  const authenticated_at = now.toISOString();
  const reauthenticated: EventDraft = {
    type: 'session.reauthenticated',
    data: { session_id, method },
  };
  return change(
    {
      session: update<SessionItem>(
        keys.session(uid, session_id),
        { set: { authenticated_at }, ...(second_factor && { setIfAbsent: { second_factor } }) },
        unrevoked,
      ),
      user: update<UserItem>(
        keys.user(uid),
        withEvents({}, ...events, reauthenticated),
        and(userExists, userUnchanged(user)),
      ),
      ...writes,
    },
    { ...(second_factor && { second_factor }), ...session, authenticated_at },
    ({ session: ended }) => (ended === undefined ? undefined : sessionEnded()),
  );
}
