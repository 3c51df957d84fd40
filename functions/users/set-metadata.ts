import { users } from '#shared/contract/users.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { changeUserMetadata, requireUserMetadata } from '#shared/identity/user-metadata.ts';
import { replaced } from '#shared/metadata/stored.ts';

export const handler = endpoint(users.setMetadata, async ({ params, body, caller, match }) => {
  const found = await requireUserMetadata(caller, params.uid);
  return changeUserMetadata(caller, found, match, body, (before) => replaced(before, body));
});
