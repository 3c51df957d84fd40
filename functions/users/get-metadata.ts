import { users } from '#shared/contract/users.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requireUserMetadata, toUserMetadata } from '#shared/identity/user-metadata.ts';
import { fieldsOf } from '#shared/metadata/stored.ts';

export const handler = endpoint(users.getMetadata, async ({ params, caller }) => {
  const { stored } = await requireUserMetadata(caller, params.uid);
  return toUserMetadata(caller, fieldsOf(stored));
});
