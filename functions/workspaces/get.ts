import { authorize } from '#shared/auth/standing.ts';
import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { viewWorkspace } from '#shared/views.ts';

export const handler = endpoint(workspaces.get, async ({ params, caller }) => {
  const { workspace } = await authorize(caller, 'workspace:read', params.workspace_id);
  return viewWorkspace(workspace, caller.project);
});
