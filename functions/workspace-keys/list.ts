import { isLiveOf, listStoredKeys } from '#shared/api-keys/items.ts';
import { getKeyUses } from '#shared/api-keys/key-use.ts';
import { toApiKey } from '#shared/api-keys/views.ts';
import { workspaceKeys } from '#shared/contract/workspace-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { authorize } from '#shared/workspaces/authorize.ts';

export const handler = endpoint(workspaceKeys.list, async ({ params, caller, now }) => {
  const { workspace_id } = params;
  const [stored, uses, { workspace }] = await Promise.all([
    listStoredKeys('workspace', workspace_id),
    getKeyUses(workspace_id),
    authorize(caller, 'api-key:manage', workspace_id),
  ]);
  const owner = { kind: 'workspace', id: workspace_id, item: workspace } as const;
  const live = stored.filter((key) => isLiveOf(owner, key, now));
  return replyPage(live.map((key) => toApiKey(key, now, uses.get(key.key_id))));
});
