import { createKey } from '#shared/api-keys/change-keys.ts';
import { requireOwnKeys } from '#shared/api-keys/owners.ts';
import { toApiKey } from '#shared/api-keys/views.ts';
import { apiKeys } from '#shared/contract/api-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';

export const handler = endpoint(apiKeys.create, async ({ body, caller, now }) => {
  const { owner, ...managed } = await requireOwnKeys(caller);
  const create = await createKey(owner, body, managed, now);
  return create.as(({ key, text }) => ({ ...toApiKey(key, now), key: text }));
});
