import { authorizeWrite } from '#shared/auth/standing.ts';
import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { updateWorkspace } from '#shared/table/workspaces.ts';
import { viewWorkspace } from '#shared/views.ts';

export const handler = endpoint(workspaces.update, async ({ params, body, caller, now }) => {
  await authorizeWrite(caller, 'workspace:update', params.workspace_id);
  const workspace = await updateWorkspace(caller.project_id, params.workspace_id, body, now);
  return viewWorkspace(workspace, caller.project);
});
