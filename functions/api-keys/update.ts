import { updateKey } from '#shared/api-keys/change-keys.ts';
import { requireKeyOf } from '#shared/api-keys/owners.ts';
import { toApiKey } from '#shared/api-keys/views.ts';
import { apiKeys } from '#shared/contract/api-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';

export const handler = endpoint(apiKeys.update, async ({ params, body, caller, now }) => {
  const { key_id } = params;
  const { owner, key, checks } = await requireKeyOf(caller, key_id, now);
  return updateKey(owner, key, body, checks, now).as((updated) => toApiKey(updated, now));
});
