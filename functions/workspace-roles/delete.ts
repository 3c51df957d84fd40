import { workspaceRoles } from '#shared/contract/workspace-roles.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/model/errors.ts';
import { deleteOwnRole } from '#shared/roles/change-own-roles.ts';
import { requireUnused } from '#shared/roles/holders.ts';
import { ownRolesItem, withOwnRoles } from '#shared/roles/own-roles.ts';
import { getRoles } from '#shared/roles/stored.ts';
import { findRole } from '#shared/roles/views.ts';
import { authorize } from '#shared/workspaces/authorize.ts';

export const handler = endpoint(workspaceRoles.delete, async ({ params, caller, match, now }) => {
  const { workspace_id, role } = params;
  const [{ workspace, principal }, roles] = await Promise.all([
    authorize(caller, 'role:manage', workspace_id),
    getRoles(caller.project_id),
  ]);
  const before = findRole(role, withOwnRoles(roles, workspace).definitions);
  if (!before) throw notFound('no such role of the workspace');
  match?.(ownRolesItem(workspace), before);
  const change = deleteOwnRole({ workspace, roles, principal }, role);
  await requireUnused(roles, role, now, workspace_id);
  return change.as(() => before);
});
