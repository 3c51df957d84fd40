import { deleteUser, restartDeletion } from '#shared/accounts/delete-user.ts';
import { users } from '#shared/contract/users.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reauthenticate } from '#shared/identity/sign-in/reauthenticate.ts';
import { findUserItem, isDeletedUser } from '#shared/identity/users/users.ts';
import { toUser, toUserDeletion } from '#shared/identity/users/views.ts';
import { notFound } from '#shared/model/errors.ts';

export const handler = endpoint(users.delete, async ({ params, body, caller, match, now }) => {
  const { uid } = params;
  if (caller.kind === 'person') {
    if (uid !== caller.uid) throw notFound('a person deletes themself only');
    const user = await reauthenticate(caller, body.current_password, now);
    match?.(user, toUser(user));
    return (await deleteUser(user, now, caller.session_id)).as(toUserDeletion);
  }
  const found = await findUserItem(uid);
  if (!found || found.project_id !== caller.project_id) throw notFound('no such user');
  if (isDeletedUser(found)) {
    // There is nothing that If-Match could name any more.
    return match ? toUserDeletion(found) : restartDeletion(found, now).as(toUserDeletion);
  }
  match?.(found, toUser(found));
  return (await deleteUser(found, now)).as(toUserDeletion);
});
