import { type Change, change, update } from '../../db/change.ts';
import { and } from '../../db/condition.ts';
import { keys } from '../../db/keys.ts';
import { modifiedAt, notModifiedAfter } from '../../db/modified-at.ts';
import { withEvents } from '../../db/outbox.ts';
import { noticeTo } from '../../mail/mails.ts';
import { noSessionSince, sessionDeletions, sessionExists } from '../sessions/sessions.ts';
import type { UserItem } from '../users/users.ts';
import { newPassword, type PasswordItem, replacePassword } from './passwords.ts';

/**
 * Replaces the password that was read, and ends all sessions but one. Forgets the devices of the sessions that end, and
 * mails a proven e-mail about it, all or nothing. Stale if the user or the password changed, a session started, or the one
 * that continues ended meanwhile: it may have been a thief's.
 *
 * @param hashing the new hash; the sessions are read while it is computed
 * @param except id of the session that continues
 */
export async function changePassword(
  user: UserItem,
  before: PasswordItem,
  hashing: Promise<string>,
  except: string,
  now: Date,
): Promise<Change<UserItem>> {
  const { uid } = user;
  const set = { modified_at: modifiedAt(now, user) };
  const [hash, endings] = await Promise.all([
    hashing,
    sessionDeletions(user, { keep: ({ session_id }) => session_id === except }),
  ]);
  return change(
    {
      password: replacePassword(newPassword(uid, hash, now), before),
      user: update(
        keys.user(uid),
        withEvents(
          { set: { ...set, ...endings.set }, add: { version: 1 } },
          { type: 'user.password_changed' },
          ...endings.events,
        ),
        and(noSessionSince(user), notModifiedAfter(set.modified_at)),
      ),
      session: sessionExists(uid, except),
      ...endings.writes,
      ...noticeTo(user, 'password_changed', {}, now),
    },
    { ...user, ...set, ...endings.set },
  );
}
