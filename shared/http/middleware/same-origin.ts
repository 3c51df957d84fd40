import { originAt } from '../../access/hosted-pages.ts';
import { ApiError } from '../../model/errors.ts';
import type { Exchange } from '../exchange.ts';

/**
 * Refuses requests that the browser does not say come from the service's own pages, because it attaches the cookie to
 * requests of other pages too, those of other hosts of the same site among them. A browser that does not send
 * `Sec-Fetch-Site` says it with `Origin`, which every browser sends with a request that changes something: it must be
 * of the host that the browser has called, whose cookie it is. No script can set any of these headers. Throws
 * `forbidden`.
 */
export const sameOrigin = {
  before({ event: { headers, requestContext } }: Exchange): void {
    const site = headers['sec-fetch-site'];
    const isOwn =
      site === undefined
        ? headers['origin'] === originAt(requestContext.domainName)
        : site === 'same-origin';
    if (!isOwn) throw new ApiError('forbidden', { reason: 'not a request of the hosted pages' });
  },
};
