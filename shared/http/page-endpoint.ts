import type { Route } from '../contract/route.ts';
import { type Handler, endpoint as plainEndpoint } from './endpoint.ts';
import type { Run } from './exchange.ts';
import type { HttpResponse } from './problem.ts';

/**
 * An endpoint that shows a page. Clients that accept HTML, as browsers do, get its failures as a page: in the words of the
 * pages, and without their style. Others get the problem document. Apart from the usual one, so that only its own bundle
 * grows.
 */
export function endpoint<const R extends Route & { problems: 'page' }>(
  route: R,
  run: Run<R>,
): Handler {
  const handler = plainEndpoint(route, run);
  return async (event, context) => {
    const response = await handler(event, context);
    const isProblem = response.headers['content-type'] === 'application/problem+json';
    return isProblem && event.headers['accept']?.includes('text/html')
      ? toPage(response)
      : response;
  };
}

const toPage = ({ headers, ...problem }: HttpResponse): HttpResponse => ({
  ...problem,
  headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
  body: documentOf(
    problem.statusCode < 429
      ? 'There is no such page. The link that you followed may be incomplete.'
      : 'Reload it in a moment to try again.',
  ),
});

const documentOf = (text: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>This page cannot be shown</title>
</head>
<body><main><h1>This page cannot be shown</h1><p>${text}</p></main></body>
</html>
`;
