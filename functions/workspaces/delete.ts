import { authorizeWrite } from '#shared/auth/standing.ts';
import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { deleteWorkspace } from '#shared/table/workspaces.ts';
import { viewDeletedWorkspace } from '#shared/views.ts';

export const handler = endpoint(workspaces.delete, async ({ params, caller, now }) => {
  await authorizeWrite(caller, 'workspace:delete', params.workspace_id);
  const workspace = await deleteWorkspace(caller.project_id, params.workspace_id, now);
  return viewDeletedWorkspace(workspace, caller.project);
});
