import { users } from '#shared/contract/users.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { changeUserMetadata, requireUserMetadata } from '#shared/identity/users/user-metadata.ts';
import { patched } from '#shared/metadata/stored.ts';

export const handler = endpoint(users.mergeMetadata, async ({ params, body, caller, match }) => {
  const found = await requireUserMetadata(caller, params.uid, body);
  // Without metadata the user's item says so.
  match?.(found.stored ?? found.user, found.view);
  return changeUserMetadata(caller, found, patched(found.before, body));
});
