import { isLiveOf, listStoredKeys } from '#shared/api-keys/items.ts';
import { getKeyUses } from '#shared/api-keys/key-use.ts';
import { requireKeysOf } from '#shared/api-keys/owners.ts';
import { toApiKey } from '#shared/api-keys/views.ts';
import { apiKeys } from '#shared/contract/api-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';

export const handler = endpoint(apiKeys.listOfUser, async ({ params, caller, now }) => {
  const { uid } = params;
  const [{ owner }, stored, uses] = await Promise.all([
    requireKeysOf({ project_id: caller.project_id, uid }),
    listStoredKeys('user', uid),
    getKeyUses(uid),
  ]);
  const live = stored.filter((key) => isLiveOf(owner, key, now));
  return replyPage(live.map((key) => toApiKey(key, now, uses.get(key.key_id))));
});
