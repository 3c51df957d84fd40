import { permissions } from '#shared/contract/permissions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { ApiError, invalidField } from '#shared/model/errors.ts';
import { definePermission } from '#shared/roles/change-roles.ts';
import { isReservedPermission } from '#shared/roles/definitions.ts';
import { getRoles, versionItem } from '#shared/roles/stored.ts';
import { findPermission, toPermission } from '#shared/roles/views.ts';

export const handler = endpoint(permissions.set, async ({ params, body, caller, match }) => {
  const { permission } = params;
  if (isReservedPermission(permission))
    throw invalidField('/path/permission', 'Is of a resource of the service');
  const roles = await getRoles(caller.project_id);
  const before = findPermission(permission, roles.definitions);
  if (match && !before) throw new ApiError('precondition_failed');
  if (before) match?.(versionItem(roles), before);
  return definePermission(roles, permission, body).as((definition) =>
    reply(toPermission(permission, definition), { status: before ? 200 : 201 }),
  );
});
