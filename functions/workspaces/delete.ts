import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { deleteWorkspace } from '#shared/workspaces/delete-workspace.ts';
import { toDeletedWorkspace, toWorkspace } from '#shared/workspaces/views.ts';

export const handler = endpoint(workspaces.delete, async ({ params, caller, match, now }) => {
  const { workspace } = await authorize(caller, 'workspace:delete', params.workspace_id);
  match?.(workspace, toWorkspace(workspace, caller.project));
  return deleteWorkspace(workspace, now).as((deleted) =>
    toDeletedWorkspace(deleted, caller.project),
  );
});
