import { cachesOf, type Route } from '../../contract/route.ts';
import { currentRequest } from '../../db/request-context.ts';
import type { Exchange } from '../exchange.ts';

/**
 * Adds the headers of OWASP's REST Security Cheat Sheet to every response, including errors. Headers set by the handler
 * take precedence.
 */
export function securityHeaders(route: Pick<Route, 'cache'>) {
  const [cache = 'no-store'] = cachesOf(route);
  const add = (exchange: Exchange): void => {
    const { response, internal } = exchange;
    if (!response) return;
    const headers = {
      'cache-control': internal.failure ? 'no-store' : cache,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-request-id': currentRequest().id,
    };
    exchange.response = { ...response, headers: { ...headers, ...response.headers } };
  };
  return { after: add, onError: add };
}
