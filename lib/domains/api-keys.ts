import type { Domain } from '../domain.ts';

/** API keys of users; a part of the domain of identity. */
export const apiKeys = {
  'apiKeys.create': {
    get: ['users', 'roles'],
    query: ['users'],
    check: ['users'],
    put: ['users'],
    update: ['users'],
    // Of the keys that were ended.
    delete: ['users', 'apiKeyUses'],
  },
  'apiKeys.list': { query: ['users', 'apiKeyUses'] },
  'apiKeys.update': { get: ['users'], update: ['users'] },
  'apiKeys.rotate': { get: ['users'], check: ['users'], update: ['users'] },
  'apiKeys.revoke': {
    get: ['users'],
    check: ['users'],
    update: ['users'],
    delete: ['users', 'apiKeyUses'],
  },
  'apiKeys.listOfUser': { get: ['users'], query: ['users', 'apiKeyUses'] },
  'apiKeys.revokeOfUser': { get: ['users'], update: ['users'], delete: ['users', 'apiKeyUses'] },
  'apiKeys.verify': { get: ['users', 'workspaces', 'roles'], update: ['apiKeyUses'] },
} as const satisfies Domain['endpoints'];
