import type { SeededBug } from './run-seeded-bug.ts';

const ended = 'no ended key is accepted';
const permissionsRule = 'a key does only what it may, in its workspace';

/** Bugs in the API keys of workspaces. */
export const bugsOfKeys: readonly SeededBug[] = [
  {
    name: 'a revoked key stays',
    file: 'shared/api-keys/change-keys.ts',
    find: '    key: del(keyOf(key), exists),\n',
    replace: '',
    caughtBy: [ended],
  },
  {
    name: 'an immediate rotation of a key leaves the texts of earlier rotations',
    file: 'shared/api-keys/change-keys.ts',
    find: 'const texts = overlap === 0 ? [] : [last, ...(key.previous ?? [])];',
    replace: 'const texts = [last, ...(key.previous ?? [])];',
    caughtBy: [ended],
  },
  {
    name: 'a key of a member acts as an admin',
    file: 'shared/workspaces/authorize.ts',
    find: "return isOwn ? caller.role : 'none';",
    replace: "return isOwn ? 'admin' : 'none';",
    caughtBy: [permissionsRule],
  },
  {
    name: 'a limited key does what its role may',
    file: 'shared/workspaces/authorize.ts',
    find: 'if (key?.permissions && !key.permissions.includes(action))',
    replace: "if (key?.permissions?.length === 0 && action !== 'workspace:read')",
    caughtBy: [permissionsRule],
  },
  {
    name: 'a change by a key is recorded as one by the backend',
    file: 'shared/http/middleware/authentication.ts',
    find: "return { kind: 'api_key', id: caller.key.key_id, workspace_id: caller.workspace_id };",
    replace: "return { kind: 'key', id: caller.key.key_id };",
    caughtBy: ['events name the key that acted'],
  },
];
