import { authenticate } from '../../access/authenticate.ts';
import type { Caller, PersonCaller, ProjectCaller } from '../../access/caller.ts';
import { callerOfCookie } from '../../access/session-cookie.ts';
import type { Route } from '../../contract/route.ts';
import { currentRequest } from '../../db/request-context.ts';
import type { Actor } from '../../model/events.ts';
import { ApiError } from '../../model/errors.ts';
import type { Exchange } from '../exchange.ts';
import { requireScope } from '../require-scope.ts';

/**
 * Authenticates the caller with one of the route's schemes; the cookie has no other beside it. Throws `unauthenticated`,
 * `token_expired`, `insufficient_scope`, or `forbidden` to somebody who acts as the user where only the user may act.
 */
export const authentication = (route: Route) => ({
  async before({ event, internal }: Exchange): Promise<void> {
    const { auth: schemes, notByActor } = route;
    const request = currentRequest();
    const caller: Caller = schemes.includes('cookie')
      ? callerOfCookie(event.cookies ?? [], event.pathParameters?.['project_id'])
      : await authenticate(schemes, event.headers['authorization'], request.now, internal.address);
    internal.caller = caller;
    if (caller.kind === 'refresh') return;
    request.actor = actorOf(caller);
    if (caller.kind === 'project') requireScope(caller, route);
    if (notByActor && caller.kind === 'person' && caller.impersonator !== undefined)
      throw new ApiError('forbidden', {
        detail: 'Only the user may do this, not who acts as the user',
      });
  },
});

function actorOf(caller: ProjectCaller | PersonCaller): Actor {
  return caller.kind === 'person'
    ? { kind: 'user', id: caller.uid, impersonator: caller.impersonator }
    : { kind: 'key', id: caller.secret_id };
}
