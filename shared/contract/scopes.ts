import type { api, Operation } from './api.ts';
import { isReadOnly, type RouteSpec } from './route.ts';

/**
 * The scopes of project secrets: every route that takes Basic has exactly one, so that a secret may be limited to what
 * its program does.
 */

type Api = typeof api;
/** The groups that have a route for backends: a new one without a resource does not compile. */
type BackendGroup = {
  [G in keyof Api]: {
    [V in keyof Api[G]]: Api[G][V] extends { auth: readonly (infer S)[] }
      ? 'project' extends S
        ? G
        : never
      : never;
  }[keyof Api[G]];
}[keyof Api];

/** The resource that a group of routes reads and writes. */
const resources = {
  sessions: 'sessions',
  users: 'users',
  identities: 'identities',
  factors: 'users',
  workspaces: 'workspaces',
  domains: 'workspaces',
  ownership: 'workspaces',
  members: 'members',
  joinRequests: 'members',
  invitations: 'invitations',
  joinLinks: 'invitations',
  apiKeys: 'api_keys',
  workspaceKeys: 'api_keys',
  permissions: 'roles',
  roles: 'roles',
  workspaceRoles: 'roles',
  webhooks: 'webhooks',
  events: 'events',
  stats: 'stats',
} as const satisfies Record<BackendGroup, string>;

/** Routes with a scope of their own: a program that does only this must not be able to do more, nor the reverse. */
const separate: Partial<Record<Operation, string>> = {
  'sessions.create': 'sessions:create',
  'sessions.introspect': 'sessions:introspect',
  'apiKeys.verify': 'api_keys:verify',
  'identities.getTokenOfUser': 'identities:token',
};

/** The scope that a backend needs for a route; undefined if no backend may call it. */
export function scopeOf(
  route: Pick<RouteSpec, 'auth' | 'method' | 'readOnly'> & { name: string },
): string | undefined {
  if (!route.auth.includes('project')) return undefined;
  const group = route.name.slice(0, route.name.indexOf('.')) as BackendGroup;
  const action = isReadOnly(route) ? 'read' : 'write';
  return separate[route.name as Operation] ?? `${resources[group]}:${action}`;
}
