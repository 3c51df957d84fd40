import { authenticate } from '../../access/authenticate.ts';
import type { PersonCaller, ProjectCaller } from '../../access/caller.ts';
import type { Scheme } from '../../contract/route.ts';
import { currentRequest } from '../../db/request-context.ts';
import type { Actor } from '../../model/events.ts';
import type { Exchange } from '../exchange.ts';

/** Authenticates the caller with one of these schemes. Throws `unauthenticated` or `token_expired`. */
export const authentication = (schemes: readonly Scheme[]) => ({
  async before({ event, internal }: Exchange): Promise<void> {
    const request = currentRequest();
    const caller = await authenticate(schemes, event.headers['authorization'], request.now);
    internal.caller = caller;
    if (caller.kind !== 'refresh') request.actor = actorOf(caller);
  },
});

function actorOf(caller: ProjectCaller | PersonCaller): Actor {
  return caller.kind === 'person'
    ? { kind: 'user', id: caller.uid }
    : { kind: 'key', id: caller.secret_id };
}
