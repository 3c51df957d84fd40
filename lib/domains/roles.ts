import type { Domain } from '../domain.ts';

/** Permissions and roles that a project defines, and roles of workspaces. */
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
    'workspaceRoles.get': { get: ['roles', 'workspaces'] },
    'workspaceRoles.set': {
      get: ['roles', 'workspaces'],
      check: ['roles', 'workspaces'],
      update: ['workspaces'],
      indexes: ['by-email'],
    },
    'workspaceRoles.delete': {
      get: ['roles', 'workspaces'],
      check: ['roles', 'workspaces'],
      update: ['workspaces'],
      indexes: ['by-email'],
    },
  },
  jobs: {},
} as const satisfies Domain;
