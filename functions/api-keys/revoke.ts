import { revokeKey } from '#shared/api-keys/change-keys.ts';
import { requireKeyOf, sessionChecks } from '#shared/api-keys/owners.ts';
import { apiKeys } from '#shared/contract/api-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';

export const handler = endpoint(apiKeys.revoke, async ({ params, caller, now }) => {
  const { key_id } = params;
  const { owner, key } = await requireKeyOf(caller, key_id, now);
  return revokeKey(owner, key, sessionChecks(caller)).as(() => ({
    key_id,
    revoked_at: now.toISOString(),
  }));
});
