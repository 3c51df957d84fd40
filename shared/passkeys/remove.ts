import type { Project } from '../access/projects.ts';
import { type Change, change, changeItem, update } from '../db/change.ts';
import { exists } from '../db/condition.ts';
import { keys } from '../db/keys.ts';
import { modifiedAt } from '../db/modified-at.ts';
import { withEvents } from '../db/outbox.ts';
import { sessionExists } from '../identity/sessions/sessions.ts';
import { requireAnotherMethod } from '../identity/sign-in/sign-in-methods.ts';
import { type UserItem, userUnchanged } from '../identity/users/users.ts';
import { noticeTo } from '../mail/mails.ts';
import { notFound } from '../model/errors.ts';
import {
  getPasskey,
  isUsablePasskey,
  type PasskeyItem,
  passkeyDeletions,
  passkeyMethod,
  passkeyRemoved,
} from './passkeys.ts';

/**
 * Removes a passkey of the user, and mails a proven e-mail about it. Throws `not_found` or `last_sign_in_method`. Stale
 * if the user changed, or the session ended meanwhile.
 */
export async function removePasskey(
  { user, session_id }: { user: UserItem; session_id: string },
  passkey: PasskeyItem | undefined,
  project: Project,
  now: Date,
): Promise<Change<PasskeyItem>> {
  const { uid, passkey_count = 0, sign_in_methods } = user;
  if (!passkey) throw notFound('no such passkey');
  const isLast = passkey_count === 1;
  if (isLast || isUsablePasskey(passkey, project))
    await requireAnotherMethod(user, passkey, project);
  const { [passkeyMethod]: _, ...others } = sign_in_methods ?? {};
  const changes = {
    set: { modified_at: modifiedAt(now, user), ...(isLast && { sign_in_methods: others }) },
    add: { version: 1 },
    increment: { passkey_count: -1 },
  };
  return change(
    {
      ...passkeyDeletions([passkey]),
      user: update<UserItem>(
        keys.user(uid),
        withEvents(changes, passkeyRemoved(passkey)),
        userUnchanged(user),
      ),
      session: sessionExists(uid, session_id),
      ...noticeTo(user, 'passkey_removed', { passkey: passkey.name }, now),
    },
    passkey,
  );
}

/** Renames a passkey. Refused with `not_found`. */
export const renamePasskey = (uid: string, passkey_id: string, name: string) =>
  changeItem<PasskeyItem>(
    {
      key: keys.passkey(uid, passkey_id),
      changes: { set: { name } },
      condition: exists,
    },
    () => getPasskey(uid, passkey_id),
    () => notFound('no such passkey'),
  );
