import { env } from '../../model/env.ts';
import type { Exchange } from '../exchange.ts';

/** Thrown if a request bypassed a mandatory proxy. */
export class AroundTheProxy extends Error {
  override readonly name = 'AroundTheProxy';
}

/** Records the address of the client. Without a trusted proxy, none of the proxy code is loaded. */
export const trustedProxy = {
  async before({ event, internal }: Exchange): Promise<void> {
    const { sourceIp } = event.requestContext.http;
    const proxy = env.trustedProxy();
    internal.address = sourceIp;
    if (proxy.digests.length === 0) return;
    const { clientOf } = await import('../client-address.ts');
    const client = clientOf(event.headers, sourceIp, proxy);
    if (client.kind === 'refused') throw new AroundTheProxy();
    internal.address = client.address;
    if (client.kind === 'unnamed') internal.unnamed = true;
  },
};
