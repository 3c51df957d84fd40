import { users } from '#shared/contract/users.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getUser } from '#shared/identity/users.ts';
import { toUser } from '#shared/identity/views.ts';
import { ApiError } from '#shared/model/errors.ts';

export const handler = endpoint(users.getMe, async ({ caller }) => {
  const user = await getUser(caller.project_id, caller.uid);
  if (!user) throw new ApiError('unauthenticated', { reason: 'the user was deleted' });
  return toUser(user);
});
