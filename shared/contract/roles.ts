import * as z from 'zod';
import { filledLine, line, paged, role, workspaceId } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { permission } from '../model/permission.ts';
import { group } from './route.ts';

/** The name of a role in a path. */
const roleName = role.meta({
  description: 'The name of a role, as members have it.',
  maxLength: 32,
  example: 'accountant',
});

export const permissionNames = z
  .array(permission)
  .max(limits.permissionsPerProject)
  .meta({ description: 'The permissions that the role holds itself.' });

export const definedRole = z
  .object({
    role: z.string(),
    name: z.string().optional().meta({ description: 'The name that users see.' }),
    description: z.string().optional(),
    permissions: z
      .array(permission)
      .meta({ description: 'The permissions that the role holds itself, sorted.' }),
    inherits: z.array(z.string()).meta({
      description: 'Roles whose permissions the role also has, as they are at each request.',
    }),
    effective_permissions: z.array(permission).meta({
      description: 'All permissions of a member with the role, sorted.',
    }),
    built_in: z.boolean().meta({
      description: 'Whether it is a role of every project: owner, admin or member.',
    }),
  })
  .meta({ id: 'Role' });
export type DefinedRole = z.output<typeof definedRole>;

const params = z.strictObject({ role: roleName });

const roleToGive = definedRole
  .extend({
    own: z.boolean().meta({
      description: "Whether it is a role of the workspace's own, whose name begins with `ws-`.",
    }),
    assignable: z.boolean().meta({
      description: 'Whether the caller may give the role to a member or invitee.',
    }),
    assignable_by_link: z.boolean().meta({
      description: 'Whether the caller may create a join link that gives the role.',
    }),
  })
  .meta({ id: 'WorkspaceRole' });

export const roles = group('roles', {
  list: {
    method: 'GET',
    path: '/roles',
    summary: 'The roles of the project: owner, admin and member first.',
    auth: ['project'],
    response: paged(definedRole),
  },
  get: {
    method: 'GET',
    path: '/roles/{role}',
    summary: 'Get a role.',
    auth: ['project'],
    params,
    response: definedRole,
    etag: true,
    errors: ['not_found'],
  },
  set: {
    method: 'PUT',
    path: '/roles/{role}',
    summary:
      'Define or replace a role of the project, or the permissions that it adds to admin or member.',
    auth: ['project'],
    params,
    body: z.strictObject({
      name: filledLine(limits.name).optional(),
      description: line(limits.description).optional(),
      permissions: permissionNames,
      inherits: z.array(role).max(limits.rolesPerProject).optional().meta({
        description:
          'Roles whose permissions the role also has. Every role has the permissions of member.',
      }),
    }),
    response: definedRole,
    statuses: [200, 201],
    etag: true,
    ifMatch: definedRole,
    errors: ['role_limit_reached'],
  },
  delete: {
    method: 'DELETE',
    path: '/roles/{role}',
    summary: 'Delete a role of the project that nobody has.',
    auth: ['project'],
    params,
    response: definedRole,
    ifMatch: definedRole,
    errors: ['not_found', 'role_in_use'],
  },
  listOfWorkspace: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/roles',
    summary:
      'The roles that members of a workspace can have, and which of them the caller may give.',
    auth: ['project', 'access'],
    params: z.strictObject({ workspace_id: workspaceId }),
    response: paged(roleToGive),
    errors: ['not_found'],
  },
});
