import { users } from '#shared/contract/users.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requireUserMetadata } from '#shared/identity/users/user-metadata.ts';

export const handler = endpoint(users.getMetadata, async ({ params, caller }) => {
  const { view } = await requireUserMetadata(caller, params.uid);
  return view;
});
