import type { SeededBug } from './run-seeded-bug.ts';

const ended = 'no ended key is answered';
const permissionsRule = 'a key does what it holds, in its workspace';

/** Bugs in the API keys of workspaces. */
export const bugsOfKeys: readonly SeededBug[] = [
  {
    name: 'a key that is revoked stays',
    file: 'shared/api-keys/change-keys.ts',
    find: '    key: del(keyOf(key), exists),\n',
    replace: '',
    caughtBy: [ended],
  },
  {
    name: 'a text of a key that is replaced at once works on',
    file: 'shared/api-keys/change-keys.ts',
    find: 'ends_at: new Date(now.getTime() + overlap * 1_000).toISOString(),',
    replace: 'ends_at: new Date(now.getTime() + 3_600_000).toISOString(),',
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
    name: 'a key that is limited to permissions does what its role may',
    file: 'shared/workspaces/authorize.ts',
    find: 'if (key?.permissions && !key.permissions.includes(action))',
    replace: "if (key?.permissions?.length === 0 && action !== 'workspace:read')",
    caughtBy: [permissionsRule],
  },
  {
    name: 'what a key does is told as done by the backend',
    file: 'shared/http/middleware/authentication.ts',
    find: "return { kind: 'api_key', id: caller.key.key_id, workspace_id: caller.workspace_id };",
    replace: "return { kind: 'key', id: caller.key.key_id };",
    caughtBy: ['events name the key that acted'],
  },
];
