/** Every scope that a secret can be given; a test compares them with the routes. */
export const secretScopes = [
  'sessions:read',
  'sessions:write',
  'sessions:create',
  'sessions:introspect',
  'sessions:*',
  'users:read',
  'users:write',
  'users:*',
  'identities:token',
  'workspaces:read',
  'workspaces:write',
  'workspaces:*',
  'members:read',
  'members:write',
  'members:*',
  'invitations:read',
  'invitations:write',
  'invitations:*',
  'roles:read',
  'roles:write',
  'roles:*',
  'api_keys:read',
  'api_keys:write',
  'api_keys:verify',
  'api_keys:*',
  'webhooks:read',
  'webhooks:write',
  'webhooks:*',
  'events:read',
  'stats:read',
  '*:read',
] as const;

/** Whether a secret with these scopes has `scope`. One without scopes has all. */
export function hasScope(granted: readonly string[] | undefined, scope: string): boolean {
  if (granted === undefined) return true;
  const [resource = '', action = ''] = scope.split(':');
  return [scope, `${resource}:*`, `*:${action}`].some((each) => granted.includes(each));
}
