import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { requireRestorable, restoreWorkspace } from '#shared/workspaces/delete-workspace.ts';
import { isDeleted, type WorkspaceItem } from '#shared/workspaces/items.ts';
import { toWorkspace } from '#shared/workspaces/views.ts';

export const handler = endpoint(workspaces.restore, async ({ params, caller, now }) => {
  const find = (project_id: string, id: string) => requireRestorable(project_id, id, now);
  const { workspace } = await authorize(caller, 'workspace:restore', params.workspace_id, find);
  const view = (item: WorkspaceItem) => toWorkspace(item, caller.project);
  return isDeleted(workspace) ? (await restoreWorkspace(workspace, now)).as(view) : view(workspace);
});
