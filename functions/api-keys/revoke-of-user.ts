import { revokeKey } from '#shared/api-keys/change-keys.ts';
import { requireKeyOf } from '#shared/api-keys/owners.ts';
import { apiKeys } from '#shared/contract/api-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';

export const handler = endpoint(apiKeys.revokeOfUser, async ({ params, caller, now }) => {
  const { uid, key_id } = params;
  const user = { project_id: caller.project_id, uid };
  const { owner, key, checks } = await requireKeyOf(user, key_id, now);
  return revokeKey(owner, key, checks).as(() => ({ key_id, revoked_at: now.toISOString() }));
});
