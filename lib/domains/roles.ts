import type { Domain } from '../domain.ts';

/** Permissions and roles that a project defines. */
export const roles = {
  endpoints: {
    'permissions.list': { get: ['roles'] },
    'permissions.get': { get: ['roles'] },
    'permissions.set': { get: ['roles'], put: ['roles'], update: ['roles'] },
    'permissions.delete': { get: ['roles'], put: ['roles'], update: ['roles'] },
    'permissions.check': { get: ['roles', 'workspaces'] },
    'permissions.listOfCaller': { get: ['roles', 'workspaces'] },
    'roles.listOfWorkspace': { get: ['roles', 'workspaces'] },
    'roles.list': { get: ['roles'] },
    'roles.get': { get: ['roles'] },
    'roles.set': { get: ['roles'], put: ['roles'], update: ['roles'] },
    'roles.delete': { get: ['roles'], put: ['roles'], update: ['roles'], indexes: ['by-email'] },
  },
  jobs: {},
} as const satisfies Domain;
