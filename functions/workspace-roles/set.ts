import { workspaceRoles } from '#shared/contract/workspace-roles.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { ApiError } from '#shared/model/errors.ts';
import { defineOwnRole } from '#shared/roles/change-own-roles.ts';
import { problemsOfPermissions } from '#shared/roles/definitions.ts';
import { requireUnused } from '#shared/roles/holders.ts';
import { ownRolesItem, withOwnRoles } from '#shared/roles/own-roles.ts';
import { getRoles } from '#shared/roles/stored.ts';
import { findRole, toRole } from '#shared/roles/views.ts';
import { authorize } from '#shared/workspaces/authorize.ts';

export const handler = endpoint(
  workspaceRoles.set,
  async ({ params, body, caller, match, now }) => {
    const { workspace_id, role } = params;
    const [{ workspace, principal }, roles] = await Promise.all([
      authorize(caller, 'role:manage', workspace_id),
      getRoles(caller.project_id),
    ]);
    if (caller.project.workspace_roles !== true)
      throw new ApiError('forbidden', {
        detail: 'The project does not let workspaces have roles of their own',
      });
    const errors = problemsOfPermissions(role, body.permissions, roles.definitions);
    if (errors.length > 0) throw new ApiError('invalid_request', { errors });
    const before = findRole(role, withOwnRoles(roles, workspace).definitions);
    if (match && !before) throw new ApiError('precondition_failed');
    if (before) match?.(ownRolesItem(workspace), before);
    const change = defineOwnRole({ workspace, roles, principal }, role, body);
    // Who still has the name since a former role of it was deleted gets nothing by the new one.
    if (!before) await requireUnused(roles, role, now, workspace_id);
    return change.as((after) =>
      reply(toRole(role, after.definitions), { status: before ? 200 : 201 }),
    );
  },
);
