import { authenticate } from '../../auth/authenticate.ts';
import type { Scheme } from '../../contract/route.ts';
import type { PersonCaller, ProjectCaller } from '../../auth/caller.ts';
import type { Actor } from '../../events.ts';
import { currentRequest } from '../../request.ts';
import type { Exchange } from '../exchange.ts';

/** Lets in who has a credential of one of these schemes. Throws `unauthenticated` or `token_expired`. */
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
