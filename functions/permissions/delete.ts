import { permissions } from '#shared/contract/permissions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/model/errors.ts';
import { deletePermission } from '#shared/roles/change-roles.ts';
import { getRoles, versionItem } from '#shared/roles/stored.ts';
import { findPermission } from '#shared/roles/views.ts';

export const handler = endpoint(permissions.delete, async ({ params, caller, match }) => {
  const { permission } = params;
  const roles = await getRoles(caller.project_id);
  const before = findPermission(permission, roles.definitions);
  if (!before || before.built_in) throw notFound('no such permission of the project');
  match?.(versionItem(roles), before);
  return deletePermission(roles, permission).as(() => before);
});
