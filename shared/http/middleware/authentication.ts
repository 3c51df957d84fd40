import { hasApiKey } from '../../access/api-key-text.ts';
import { authenticate } from '../../access/authenticate.ts';
import type { Caller, VerifiedCaller, WorkspaceKeyCaller } from '../../access/caller.ts';
import { callerOfCookie } from '../../access/session-cookie.ts';
import { takesKey } from '../../contract/key-access.ts';
import type { Route } from '../../contract/route.ts';
import { currentRequest } from '../../db/request-context.ts';
import { ApiError, notFound } from '../../model/errors.ts';
import type { Actor } from '../../model/events.ts';
import type { Exchange } from '../exchange.ts';
import { requireScope } from '../require-scope.ts';

/**
 * Authenticates the caller with one of the route's schemes; the cookie has no other beside it. Throws
 * `unauthenticated`, `token_expired`, `insufficient_scope`, or `forbidden` to somebody who acts as the user where only
 * the user may act.
 */
export const authentication = (route: Route) => ({
  async before({ event, internal }: Exchange): Promise<void> {
    const request = currentRequest();
    const caller = await callerOf(route, event, internal.address);
    internal.caller = caller;
    if (caller.kind === 'refresh') return;
    request.actor = actorOf(caller);
    if (caller.kind === 'project') requireScope(caller, route);
    if (caller.kind === 'workspace') requireOwnWorkspace(caller, event);
    if (route.notByActor && caller.kind === 'person' && caller.impersonator !== undefined)
      throw new ApiError('forbidden', {
        detail: 'Only the user may do this, not who acts as the user',
      });
  },
});

async function callerOf(
  route: Route,
  event: Exchange['event'],
  address: string | undefined,
): Promise<Caller> {
  const { now } = currentRequest();
  const { authorization } = event.headers;
  if (route.auth.includes('cookie'))
    return callerOfCookie(event.cookies ?? [], event.pathParameters?.['project_id']);
  const kinds = (['user', 'workspace'] as const).filter((kind) => takesKey(route, kind));
  // Loaded as a separate chunk, so that other requests do not load it.
  if (kinds.length > 0 && hasApiKey(authorization))
    return (await import('../../api-keys/authenticate-key.ts')).authenticateKey(
      kinds,
      authorization,
      now,
    );
  return authenticate(route.auth, authorization, now, address);
}

/** The key of a workspace gets a 404 for every other workspace. */
function requireOwnWorkspace({ workspace_id }: WorkspaceKeyCaller, event: Exchange['event']): void {
  if (event.pathParameters?.['workspace_id'] !== workspace_id)
    throw notFound('not the workspace of the key');
}

function actorOf(caller: VerifiedCaller): Actor {
  switch (caller.kind) {
    case 'project':
      return { kind: 'key', id: caller.secret_id };
    case 'person':
      return caller.key
        ? { kind: 'api_key', id: caller.key.key_id, user_id: caller.uid }
        : { kind: 'user', id: caller.uid, impersonator: caller.impersonator };
    case 'workspace':
      return { kind: 'api_key', id: caller.key.key_id, workspace_id: caller.workspace_id };
  }
}
