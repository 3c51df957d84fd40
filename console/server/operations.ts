import type * as z from 'zod';
import { type Operation, routes } from '../../shared/contract/api.ts';

/** What the console may do with the service in the name of a project. */

/**
 * Not among them: `users.get`, which creates the user of an unknown uid, so that a mistyped address would; whatever
 * only a user may do; and what the console has no view for.
 */
const allowed: readonly Operation[] = [
  'sessions.create',
  'sessions.list',
  'sessions.end',
  'sessions.endAll',
  'users.create',
  'users.import',
  'users.list',
  'users.search',
  'users.update',
  'users.delete',
  'users.export',
  'users.getMetadata',
  'users.setMetadata',
  'users.getDeletion',
  'factors.reset',
  'apiKeys.listOfUser',
  'apiKeys.revokeOfUser',
  'workspaces.create',
  'workspaces.list',
  'workspaces.get',
  'workspaces.update',
  'workspaces.delete',
  'workspaces.restore',
  'workspaces.getMetadata',
  'workspaces.setMetadata',
  'domains.list',
  'domains.set',
  'domains.prove',
  'joinRequests.list',
  'joinRequests.approve',
  'joinRequests.delete',
  'members.add',
  'members.list',
  'members.get',
  'members.setMetadata',
  'members.changeRole',
  'members.suspend',
  'members.remove',
  'ownership.offer',
  'invitations.create',
  'invitations.list',
  'invitations.resend',
  'invitations.end',
  'permissions.list',
  'permissions.set',
  'permissions.delete',
  'roles.list',
  'roles.listOfWorkspace',
  'roles.get',
  'roles.set',
  'roles.delete',
  'workspaceKeys.list',
  'workspaceKeys.revoke',
  'webhooks.create',
  'webhooks.list',
  'webhooks.get',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.rotateSecret',
  'webhooks.listAttempts',
  'webhooks.redeliver',
  'events.list',
  'events.listOfWorkspace',
  'stats.get',
];

type Pattern = { name: Operation; method: string; path: RegExp; params: z.ZodType | undefined };

/** No percent sign, and no segment that starts with a dot: nothing that a server could read as another path. */
const segment = '[A-Za-z0-9][A-Za-z0-9._-]*';
/** A permission alone has a colon, which the client encodes. */
const permission = '[a-z][a-z0-9-]*(?::|%3A)[a-z][a-z0-9-]*';

const patterns: readonly Pattern[] = routes
  .filter(({ name }) => allowed.includes(name))
  .map(({ name, method, path, params }) => ({
    name,
    method,
    path: new RegExp(
      `^${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{(\w+)\}/g, (_, each: string) => `(?<${each}>${each === 'permission' ? permission : segment})`)}$`,
    ),
    // The service judges a domain, and says what is wrong with one that was typed.
    params: name.startsWith('domains.') ? undefined : params,
  }));

/** The operation of a request, if the console may ask for it. @param path without the query, as it came. */
export function operationOf(method: string, path: string): Operation | undefined {
  for (const pattern of patterns) {
    if (pattern.method !== method) continue;
    const match = pattern.path.exec(path);
    if (!match) continue;
    // `/sessions/current` has the form of `/sessions/{session_id}`, and is another operation.
    const params = Object.fromEntries(
      Object.entries({ ...match.groups }).map(([field, text]) => [field, decodeURIComponent(text)]),
    );
    if (pattern.params && !pattern.params.safeParse(params).success) continue;
    return pattern.name;
  }
  return undefined;
}

/**
 * Why the console refuses a request although the operation is allowed. A session without an actor is that of the user:
 * nothing would say that an operator has started it.
 */
export function refusalOf(operation: Operation, body: string): string | undefined {
  if (operation !== 'sessions.create') return undefined;
  try {
    const { actor } = JSON.parse(body) as { actor?: unknown };
    if (typeof actor === 'object' && actor !== null) return undefined;
  } catch {
    // It is refused like one without an actor.
  }
  return 'The console starts sessions only with an actor.';
}
