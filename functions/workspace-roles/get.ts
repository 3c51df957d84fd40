import { workspaceRoles } from '#shared/contract/workspace-roles.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/model/errors.ts';
import { getRolesIn } from '#shared/roles/own-roles.ts';
import { findRole } from '#shared/roles/views.ts';
import { authorize } from '#shared/workspaces/authorize.ts';

export const handler = endpoint(workspaceRoles.get, async ({ params, caller }) => {
  const { workspace_id, role } = params;
  const [{ definitions }] = await Promise.all([
    getRolesIn(caller.project_id, workspace_id),
    authorize(caller, 'role:list', workspace_id),
  ]);
  const found = findRole(role, definitions);
  if (!found) throw notFound('no such role of the workspace');
  return found;
});
