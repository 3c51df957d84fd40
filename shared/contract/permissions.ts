import * as z from 'zod';
import { line, paged, permission } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
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

export const permissions = group('permissions', {
  list: {
    method: 'GET',
    path: '/permissions',
    summary:
      'The permissions that roles can hold: those of the project, then those of the service.',
    auth: ['project'],
    response: paged(definedPermission),
    statuses: [200],
    errors: [],
  },
  get: {
    method: 'GET',
    path: '/permissions/{permission}',
    summary: 'Get a permission.',
    auth: ['project'],
    params,
    response: definedPermission,
    statuses: [200],
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
    statuses: [200],
    ifMatch: definedPermission,
    errors: ['not_found', 'permission_in_use'],
  },
});
