import { users } from '#shared/contract/users.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { knownToBackend } from '#shared/identity/users/invited-user.ts';
import { createUserWithEmail } from '#shared/identity/users/new-user.ts';
import { verifyEmail } from '#shared/identity/users/update-user.ts';
import { findUserByEmail, type UserItem } from '#shared/identity/users/users.ts';
import { toUser } from '#shared/identity/users/views.ts';
import { newUserWithWallet, withWallet } from '#shared/identity/wallet/user-wallet.ts';
import { allowMailAgain } from '#shared/mail/mailboxes.ts';
import { replaced } from '#shared/metadata/stored.ts';
import { newUid } from '#shared/model/ids.ts';

export const handler = endpoint(users.create, async ({ body, caller, now }) => {
  const { project_id } = caller;
  const { user_metadata, app_metadata, private_metadata, ...profile } = body;
  const [found, writes] = await Promise.all([
    findUserByEmail(project_id, body.email),
    // A backend that vouches for an e-mail enables mails to it again, even after bounces or complaints.
    body.email_verified ? allowMailAgain(project_id, body.email, now) : {},
  ]);
  if (found) {
    const user = await withWallet(found);
    if (!body.email_verified) return knownToBackend(user).as(withoutMethods);
    return (await verifyEmail(user, now, writes)).as(withoutMethods);
  }
  const user = await newUserWithWallet(project_id, newUid(now), profile, now);
  const fields = replaced({}, { user_metadata, app_metadata, private_metadata });
  return createUserWithEmail(user, writes, fields).as((made) =>
    reply(withoutMethods(made), { status: 201 }),
  );
});

/** This response has no `sign_in_methods`. */
function withoutMethods(item: UserItem) {
  const { sign_in_methods: _, ...user } = toUser(item);
  return user;
}
