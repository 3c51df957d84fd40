import { authenticate } from '../../access/authenticate.ts';
import type { Caller, PersonCaller, ProjectCaller } from '../../access/caller.ts';
import { callerOfCookie } from '../../access/session-cookie.ts';
import type { Scheme } from '../../contract/route.ts';
import { currentRequest } from '../../db/request-context.ts';
import type { Actor } from '../../model/events.ts';
import type { Exchange } from '../exchange.ts';

/**
 * Authenticates the caller with one of these schemes; the cookie has no other beside it. Throws `unauthenticated` or `token_expired`.
 */
export const authentication = (schemes: readonly Scheme[]) => ({
  async before({ event, internal }: Exchange): Promise<void> {
    const request = currentRequest();
    const caller: Caller = schemes.includes('cookie')
      ? callerOfCookie(event.cookies ?? [], event.pathParameters?.['project_id'])
      : await authenticate(schemes, event.headers['authorization'], request.now);
    internal.caller = caller;
    if (caller.kind !== 'refresh') request.actor = actorOf(caller);
  },
});

function actorOf(caller: ProjectCaller | PersonCaller): Actor {
  return caller.kind === 'person'
    ? { kind: 'user', id: caller.uid }
    : { kind: 'key', id: caller.secret_id };
}
