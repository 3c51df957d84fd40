import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { fieldsOf, shownTo } from '#shared/metadata/stored.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { getWorkspaceMetadata } from '#shared/workspaces/workspace-metadata.ts';

export const handler = endpoint(workspaces.getMetadata, async ({ params, caller }) => {
  const { workspace_id } = params;
  const [stored] = await Promise.all([
    getWorkspaceMetadata(workspace_id),
    authorize(caller, 'workspace:read-metadata', workspace_id),
  ]);
  return shownTo(caller, fieldsOf(stored));
});
