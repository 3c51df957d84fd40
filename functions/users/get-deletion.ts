import { users } from '#shared/contract/users.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { findUserItem, isDeletedUser } from '#shared/identity/users/users.ts';
import { toUserDeletion } from '#shared/identity/users/views.ts';
import { notFound } from '#shared/model/errors.ts';

export const handler = endpoint(users.getDeletion, async ({ params, caller }) => {
  const found = await findUserItem(params.uid);
  if (found?.project_id !== caller.project_id || !isDeletedUser(found))
    throw notFound('no receipt of such a deletion');
  return toUserDeletion(found);
});
