import type { Route } from '../contract/route.ts';
import { escapeHtml } from '../mail/sanitize.ts';
import type { FieldError } from '../model/errors.ts';
import type { HttpResponse } from './problem.ts';

type Schemas = Pick<Route, 'query' | 'body'>;
type Problem = { detail: string; request_id: string; errors?: FieldError[] };

/** The page of a problem document, of the same status: in plain words, and without the style of the hosted pages. */
export const toPage = (
  route: Schemas,
  { headers, body, ...problem }: HttpResponse,
): HttpResponse => ({
  ...problem,
  headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
  body: documentOf(textOf(route, problem.statusCode, JSON.parse(body) as Problem)),
});

function textOf(route: Schemas, status: number, problem: Problem): string {
  const { errors = [] } = problem;
  if (status >= 429) return '<p>Reload it in a moment to try again.</p>';
  const isUnknown = errors.some(({ pointer }) => pointer.startsWith('/path/'));
  if (status === 404 || status === 405 || isUnknown)
    return '<p>There is no such page. The link that you followed may be incomplete.</p>';
  return `<p>The request that led you here cannot be accepted. Go back to the application that you came from, and start again.</p>
<p>If this page comes back, ask the people who run that application for help, and send them these lines:</p>
<ul>
${[...reasonsOf(route, problem), `Request ${problem.request_id}`]
  .map((line) => `<li>${escapeHtml(line)}</li>`)
  .join('\n')}
</ul>`;
}

/**
 * What is wrong with a request, without anything from it: by the name of an unknown parameter, who makes a link could
 * write on a page of the service.
 */
function reasonsOf({ query, body }: Schemas, { detail, errors = [] }: Problem): string[] {
  const known = errors.flatMap((error) => {
    const name = error.pointer.split('/').at(-1) ?? '';
    const isKnown = [query, body].some((schema) => schema && Object.hasOwn(schema.shape, name));
    return isKnown ? `${name}: ${error.detail}` : [];
  });
  return known.length > 0 ? known : [detail];
}

const documentOf = (text: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>This page cannot be shown</title>
</head>
<body><main><h1>This page cannot be shown</h1>
${text}
</main></body>
</html>
`;
