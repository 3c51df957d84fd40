import type { Operation } from '../api.ts';
import { ids, page } from './data.ts';

const permission = {
  permission: 'invoice:read',
  description: 'See invoices and their positions',
  built_in: false,
};

const definition = {
  name: 'Accountant',
  description: 'Sees and pays invoices',
  permissions: ['event:list', 'invoice:pay', 'invoice:read'],
};

const role = {
  role: 'accountant',
  ...definition,
  inherits: [],
  effective_permissions: [
    'event:list',
    'invoice:pay',
    'invoice:read',
    'member:leave',
    'member:list-accepted',
    'member:read',
    'role:list',
    'workspace:read',
  ],
  built_in: false,
};

const ownDefinition = {
  name: 'Editor',
  description: 'Invites people, and reads the log',
  permissions: ['event:list', 'invitation:create'],
};

const ownRole = {
  role: 'ws-editor',
  ...ownDefinition,
  inherits: [],
  effective_permissions: [
    'event:list',
    'invitation:create',
    'member:leave',
    'member:list-accepted',
    'member:read',
    'role:list',
    'workspace:read',
  ],
  built_in: false,
};

export const roleExamples = {
  'permissions.list': {
    response: page(permission),
  },
  'permissions.get': { response: permission },
  'permissions.set': {
    body: { description: permission.description },
    response: permission,
  },
  'permissions.delete': { response: permission },
  'permissions.check': {
    body: {
      checks: [
        { workspace_id: ids.workspace, permissions: ['invoice:read'], user_id: ids.ada },
        { workspace_id: ids.workspace, permissions: ['invoice:pay'], user_id: ids.grace },
      ],
    },
    response: {
      results: [
        { allowed: true, role: 'accountant', missing: [] },
        { allowed: false, role: 'member', missing: ['invoice:pay'] },
      ],
    },
  },
  'permissions.listOfCaller': {
    response: { role: 'accountant', permissions: role.effective_permissions },
  },
  'roles.listOfWorkspace': {
    response: page({ ...role, own: false, assignable: true, assignable_by_link: true }),
  },
  'roles.list': { response: page(role) },
  'roles.get': { response: role },
  'roles.set': { body: definition, response: role },
  'roles.delete': { response: role },
  'workspaceRoles.get': { response: ownRole },
  'workspaceRoles.set': { body: ownDefinition, response: ownRole },
  'workspaceRoles.delete': { response: ownRole },
} as const satisfies Partial<Record<Operation, { body?: unknown; response: unknown }>>;
