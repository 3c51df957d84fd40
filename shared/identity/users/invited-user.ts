import { type Change, change, update } from '../../db/change.ts';
import { and, attributeUnchanged, type Condition } from '../../db/condition.ts';
import { keys } from '../../db/keys.ts';
import { noSessionSince } from '../sessions/sessions.ts';
import { newUser } from './new-user.ts';
import { type UserItem, userUnchanged } from './users.ts';

/** A new user for an invitation to an e-mail that has none, not yet stored. */
export const newInvitedUser = (
  project_id: string,
  uid: string,
  email: string,
  now: Date,
): UserItem => ({
  ...newUser(project_id, uid, { email }, now),
  only_invited: true,
});

/**
 * Whether an invitation created the user and nothing has changed since: nobody has signed in, and no backend knows the
 * user as a person who typed this e-mail. So nobody can have prepared the user for the owner of the mailbox.
 */
export const isOnlyInvited = (user: UserItem): boolean =>
  user.only_invited === true &&
  user.modified_at === user.created_at &&
  user.last_session_id === undefined;

/** True while `isOnlyInvited` is, as read. */
export const onlyInvitedStill = (user: UserItem): Condition =>
  and(noSessionSince(user), attributeUnchanged('only_invited', true));

/**
 * Returns a user that a backend has asked for by e-mail, perhaps for a person who only typed that e-mail: the user is
 * not only invited any more. Stale if the user has changed since they were read.
 */
export function knownToBackend(user: UserItem): Change<UserItem> {
  if (!user.only_invited) return change({}, user);
  const { only_invited: _, ...known } = user;
  const changes = { remove: ['only_invited'] };
  return change(
    { user: update<UserItem>(keys.user(user.uid), changes, userUnchanged(user)) },
    known,
  );
}
