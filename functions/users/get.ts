import { users } from '#shared/contract/users.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { createUserWithoutEmail } from '#shared/identity/users/new-user.ts';
import { findUserItem } from '#shared/identity/users/users.ts';
import { toUser } from '#shared/identity/users/views.ts';
import { newUserWithWallet, withWallet } from '#shared/identity/wallet/user-wallet.ts';
import { notFound } from '#shared/model/errors.ts';
import { hasScope } from '#shared/model/scopes.ts';

export const handler = endpoint(users.get, async ({ params, caller, now }) => {
  const { project_id, project } = caller;
  const found = await findUserItem(params.uid);
  const deleted = found?.deleted_at !== undefined;
  if (found?.project_id === project_id && !deleted) return toUser(await withWallet(found));
  // A uid is never reused: that of a deleted user stays taken.
  // A secret that may only read must not create users by asking for them.
  const creates = project.create_users_on_get && hasScope(caller.scopes, 'users:write');
  if (found || !creates) throw notFound('taken elsewhere, or not created on reading');
  const user = await newUserWithWallet(project_id, params.uid, {}, now);
  return createUserWithoutEmail(user).as((made) => reply(toUser(made), { status: 201 }));
});
