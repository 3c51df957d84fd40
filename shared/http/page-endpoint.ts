import type { Route } from '../contract/route.ts';
import { type Handler, endpoint as plainEndpoint } from './endpoint.ts';
import type { Run } from './exchange.ts';

/** `text/html` in an `Accept` header, unless with the quality of 0, which refuses it. */
const acceptsHtml = /\btext\/html\b(?![^,]*;\s*q=0(?:\.0*)?\s*(?:[,;]|$))/i;

/**
 * An endpoint that a browser opens. Clients that accept HTML, as browsers do, get its failures as a page, which is
 * loaded with the first. Others get the problem document. Apart from the usual one, so that only its own bundle grows.
 */
export function endpoint<const R extends Route & { problems: 'page' }>(
  route: R,
  run: Run<R>,
): Handler {
  const handler = plainEndpoint(route, run);
  return async (event, context) => {
    const response = await handler(event, context);
    if (response.headers['content-type'] !== 'application/problem+json') return response;
    const problem = { ...response, headers: { ...response.headers, vary: 'accept' } };
    if (!acceptsHtml.test(event.headers['accept'] ?? '')) return problem;
    const { toPage } = await import('./failure-page.ts');
    return toPage(route, problem);
  };
}
