import { authorize } from '#shared/auth/standing.ts';
import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import {
  isDeleted,
  requireRestorable,
  restoreWorkspace,
} from '#shared/table/workspace-deletion.ts';
import type { WorkspaceItem } from '#shared/table/workspaces.ts';
import { viewWorkspace } from '#shared/views.ts';

export const handler = endpoint(workspaces.restore, async ({ params, caller, now }) => {
  const find = (project_id: string, id: string) => requireRestorable(project_id, id, now);
  const { workspace } = await authorize(caller, 'workspace:restore', params.workspace_id, find);
  const view = (item: WorkspaceItem) => viewWorkspace(item, caller.project);
  return isDeleted(workspace) ? (await restoreWorkspace(workspace, now)).as(view) : view(workspace);
});
