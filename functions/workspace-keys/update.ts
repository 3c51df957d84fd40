import { updateKey } from '#shared/api-keys/change-keys.ts';
import { requireWorkspaceKey } from '#shared/api-keys/owners.ts';
import { toApiKey } from '#shared/api-keys/views.ts';
import { workspaceKeys } from '#shared/contract/workspace-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { authorize } from '#shared/workspaces/authorize.ts';

export const handler = endpoint(workspaceKeys.update, async ({ params, body, caller, now }) => {
  const { owner, key, checks } = await requireWorkspaceKey(
    authorize(caller, 'api-key:manage', params.workspace_id),
    params,
    now,
  );
  return updateKey(owner, key, body, checks, now).as((updated) => toApiKey(updated, now));
});
