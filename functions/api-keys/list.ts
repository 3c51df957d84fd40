import { isLiveOf, listStoredKeys } from '#shared/api-keys/items.ts';
import { getKeyUses } from '#shared/api-keys/key-use.ts';
import { ownerOfKeys } from '#shared/api-keys/owners.ts';
import { toApiKey } from '#shared/api-keys/views.ts';
import { apiKeys } from '#shared/contract/api-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { requireCaller } from '#shared/identity/users/users.ts';

export const handler = endpoint(apiKeys.list, async ({ caller, now }) => {
  const [user, stored, uses] = await Promise.all([
    requireCaller(caller),
    listStoredKeys('user', caller.uid),
    getKeyUses(caller.uid),
  ]);
  const owner = ownerOfKeys(user);
  const live = stored.filter((key) => isLiveOf(owner, key, now));
  return replyPage(live.map((key) => toApiKey(key, now, uses.get(key.key_id))));
});
