import { users } from '#shared/contract/users.ts';
import { notFound } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { isDeletedUser } from '#shared/table/user-deletion.ts';
import { findUserItem } from '#shared/table/users.ts';
import { viewDeletion } from '#shared/views.ts';

export const handler = endpoint(users.getDeletion, async ({ params, caller }) => {
  const found = await findUserItem(params.uid);
  if (found?.project_id !== caller.project_id || !isDeletedUser(found)) throw notFound();
  return viewDeletion(found);
});
