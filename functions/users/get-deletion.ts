import { isDeletedUser } from '#shared/accounts/delete-user.ts';
import { users } from '#shared/contract/users.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { findUserItem } from '#shared/identity/users.ts';
import { notFound } from '#shared/model/errors.ts';
import { viewDeletion } from '#shared/workspaces/views.ts';

export const handler = endpoint(users.getDeletion, async ({ params, caller }) => {
  const found = await findUserItem(params.uid);
  if (found?.project_id !== caller.project_id || !isDeletedUser(found)) throw notFound();
  return viewDeletion(found);
});
