import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { toWorkspace } from '#shared/workspaces/views.ts';

export const handler = endpoint(workspaces.get, async ({ params, caller }) => {
  const { workspace } = await authorize(caller, 'workspace:read', params.workspace_id);
  return toWorkspace(workspace, caller.project);
});
