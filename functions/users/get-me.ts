import { users } from '#shared/contract/users.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requireCaller } from '#shared/identity/users/users.ts';
import { toUser } from '#shared/identity/users/views.ts';

export const handler = endpoint(users.getMe, async ({ caller }) =>
  toUser(await requireCaller(caller)),
);
