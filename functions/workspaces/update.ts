import { authorize, authorizeWrite } from '#shared/auth/standing.ts';
import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { updateWorkspace } from '#shared/table/workspaces.ts';
import { viewWorkspace } from '#shared/views.ts';

export const handler = endpoint(workspaces.update, async ({ params, body, caller, match, now }) => {
  const { workspace_id } = params;
  if (match) {
    const { workspace } = await authorize(caller, 'workspace:update', workspace_id);
    match(workspace, viewWorkspace(workspace, caller.project));
  } else await authorizeWrite(caller, 'workspace:update', workspace_id);
  const workspace = await updateWorkspace(caller.project_id, workspace_id, body, now);
  return viewWorkspace(workspace, caller.project);
});
