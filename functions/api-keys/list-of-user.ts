import { isUnexpired, listStoredKeys } from '#shared/api-keys/items.ts';
import { getKeyUses } from '#shared/api-keys/key-use.ts';
import { toApiKey } from '#shared/api-keys/views.ts';
import { apiKeys } from '#shared/contract/api-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { requireUser } from '#shared/identity/users.ts';

export const handler = endpoint(apiKeys.listOfUser, async ({ params, caller, now }) => {
  const { uid } = params;
  const [{ key_generation = 0 }, stored, uses] = await Promise.all([
    requireUser(caller.project_id, uid),
    listStoredKeys('user', uid),
    getKeyUses(uid),
  ]);
  const live = stored.filter((key) => isUnexpired(key, now) && key.generation === key_generation);
  return replyPage(live.map((key) => toApiKey(key, now, uses.get(key.key_id))));
});
