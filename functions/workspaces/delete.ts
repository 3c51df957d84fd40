import { authorize } from '#shared/auth/standing.ts';
import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { deleteWorkspace } from '#shared/table/workspace-deletion.ts';
import { viewDeletedWorkspace, viewWorkspace } from '#shared/views.ts';

export const handler = endpoint(workspaces.delete, async ({ params, caller, match, now }) => {
  const { workspace } = await authorize(caller, 'workspace:delete', params.workspace_id);
  match?.(workspace, viewWorkspace(workspace, caller.project));
  return deleteWorkspace(workspace, now).as((deleted) =>
    viewDeletedWorkspace(deleted, caller.project),
  );
});
