import * as z from 'zod';
import { line, paged, uid, workspaceId, workspaceRole } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { permission } from '../model/permission.ts';
import { group } from './route.ts';

const definedPermission = z
  .object({
    permission,
    description: z.string().optional(),
    built_in: z.boolean().meta({
      description:
        'Whether it is a permission of the service, which exists in every project and cannot be changed.',
    }),
  })
  .meta({ id: 'Permission' });
export type DefinedPermission = z.output<typeof definedPermission>;

const params = z.strictObject({ permission });

const check = z.strictObject({
  workspace_id: workspaceId,
  permissions: z
    .array(permission)
    .min(1)
    .max(limits.permissionChecks)
    .meta({ description: 'The user must have all of them.' }),
  user_id: uid.optional().meta({
    description: 'The user. Required with Basic; with Bearer the caller: anybody else is 400.',
  }),
});

const checked = z
  .object({
    allowed: z.boolean().meta({ description: 'Whether the user has all of the permissions.' }),
    role: workspaceRole.optional().meta({
      description:
        'The role of the user in the workspace. Absent if the user is not an active member of it.',
    }),
    missing: z
      .array(permission)
      .meta({ description: 'The permissions that the user does not have.' }),
  })
  .meta({ id: 'CheckedPermissions' });

export const permissions = group('permissions', {
  list: {
    method: 'GET',
    path: '/permissions',
    summary:
      'The permissions that roles can hold: those of the project, then those of the service.',
    auth: ['project'],
    response: paged(definedPermission),
  },
  get: {
    method: 'GET',
    path: '/permissions/{permission}',
    summary: 'Get a permission.',
    auth: ['project'],
    params,
    response: definedPermission,
    etag: true,
    errors: ['not_found'],
  },
  set: {
    method: 'PUT',
    path: '/permissions/{permission}',
    summary: 'Define a permission of the project, or change its description.',
    auth: ['project'],
    params,
    body: z.strictObject({ description: line(limits.description).optional() }),
    response: definedPermission,
    statuses: [200, 201],
    etag: true,
    ifMatch: definedPermission,
    errors: ['permission_limit_reached'],
  },
  delete: {
    method: 'DELETE',
    path: '/permissions/{permission}',
    summary: 'Delete a permission of the project that no role holds.',
    auth: ['project'],
    params,
    response: definedPermission,
    ifMatch: definedPermission,
    errors: ['not_found', 'permission_in_use'],
  },
  check: {
    method: 'POST',
    path: '/permissions/check',
    summary: 'Check what users may do in workspaces, up to 50 checks at once.',
    auth: ['project', 'access'],
    body: z.strictObject({ checks: z.array(check).min(1).max(limits.permissionChecks) }),
    response: z
      .object({
        results: z.array(checked).meta({ description: 'One for each check, in their order.' }),
      })
      .meta({ id: 'PermissionChecks' }),
    readOnly: true,
  },
  listOfCaller: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/permissions',
    summary: "The caller's role and permissions in a workspace.",
    auth: ['access'],
    params: z.strictObject({ workspace_id: workspaceId }),
    response: z
      .object({
        role: workspaceRole,
        permissions: z
          .array(permission)
          .meta({ description: 'The permissions of the service and of the project, sorted.' }),
      })
      .meta({ id: 'OwnPermissions' }),
    errors: ['not_found'],
  },
});
