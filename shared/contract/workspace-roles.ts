import * as z from 'zod';
import { filledLine, line, ownRole, workspaceId } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { definedRole, permissionNames } from './roles.ts';
import { group } from './route.ts';

const params = z.strictObject({ workspace_id: workspaceId, role: ownRole });

export const workspaceRoles = group('workspaceRoles', {
  get: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/roles/{role}',
    summary: "Get a role of a workspace's own.",
    auth: ['project', 'access'],
    params,
    response: definedRole,
    etag: true,
    errors: ['not_found'],
  },
  set: {
    method: 'PUT',
    path: '/workspaces/{workspace_id}/roles/{role}',
    summary: "Define or replace a role of a workspace's own, if the project allows it.",
    auth: ['project', 'access'],
    params,
    body: z.strictObject({
      name: filledLine(limits.name).optional(),
      description: line(limits.description).optional(),
      permissions: permissionNames,
    }),
    response: definedRole,
    statuses: [200, 201],
    etag: true,
    ifMatch: definedRole,
    errors: ['not_found', 'forbidden', 'role_limit_reached', 'role_in_use'],
  },
  delete: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/roles/{role}',
    summary: "Delete a role of a workspace's own that nobody has.",
    auth: ['project', 'access'],
    params,
    response: definedRole,
    ifMatch: definedRole,
    errors: ['not_found', 'forbidden', 'role_in_use'],
  },
});
