import { and, type Change, change, create, update } from '../db/change.ts';
import { modifiedAt, notModifiedAfter } from '../db/modified-at.ts';
import { withEvents } from '../db/outbox.ts';
import { keys } from '../db/schema.ts';
import { newMail } from '../mail/mails.ts';
import { newPassword, type PasswordItem, replacePassword } from './passwords.ts';
import { noNewerSession, sessionDeletions } from './sessions.ts';
import type { UserItem } from './users.ts';

/**
 * Sets another password in place of the one that was read, ends every session but one, and tells the user by mail: all
 * or nothing. Stale where the password was changed or a session has started meanwhile.
 * @param hashing the new hash; what is to end is read beside it.
 */
export async function changePassword(
  user: UserItem,
  before: PasswordItem,
  hashing: Promise<string>,
  except: string,
  now: Date,
): Promise<Change<UserItem>> {
  const { uid, project_id, email: to } = user;
  const notice = newMail('password_changed', { project_id, to }, now);
  const set = { modified_at: modifiedAt(now, user) };
  const [hash, endings] = await Promise.all([
    hashing,
    sessionDeletions(user, ({ session_id }) => session_id === except),
  ]);
  return change(
    {
      password: replacePassword(newPassword(uid, hash, now), before),
      user: update(
        keys.user(uid),
        withEvents(
          { set, add: { version: 1 } },
          { type: 'user.password_changed' },
          ...endings.facts,
        ),
        and(noNewerSession(user), notModifiedAfter(set.modified_at)),
      ),
      ...endings.writes,
      ...(to !== '' && { notice: create(notice) }),
    },
    { ...user, ...set },
  );
}
