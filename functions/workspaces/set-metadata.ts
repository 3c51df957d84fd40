import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replaced } from '#shared/metadata/stored.ts';
import {
  changeWorkspaceMetadata,
  requireWorkspaceMetadata,
} from '#shared/workspaces/workspace-metadata.ts';

export const handler = endpoint(workspaces.setMetadata, async ({ params, body, caller, match }) => {
  const { workspace_id } = params;
  const found = await requireWorkspaceMetadata(caller.project_id, workspace_id);
  const { workspace, stored, before } = found;
  match?.(stored ?? workspace, before);
  return changeWorkspaceMetadata(workspace, stored, replaced(before, body));
});
