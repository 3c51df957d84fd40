import { fallback } from '#shared/contract/fallback.ts';
import { routePaths } from '#shared/contract/route-paths.ts';
import { endpoint } from '#shared/http/page-endpoint.ts';
import { ApiError, notFound } from '#shared/model/errors.ts';

export const handler = endpoint(fallback, async ({ method: requested, path }) => {
  const here = routePaths.filter((route) => matches(route.path, path));
  // Several routes may match a path: /users/me is also a /users/{uid}.
  const allowed = new Set<string>(here.map(({ method }) => method));
  // The gateway finds routes by the path as it was sent: /users%2Fme is none of them, though it is decoded here.
  if (allowed.size === 0 || allowed.has(requested)) throw notFound('no such path');
  throw new ApiError('method_not_allowed', { headers: { allow: [...allowed].join(', ') } });
});

function matches(template: string, path: string): boolean {
  const expected = template.split('/');
  const segments = path.split('/');
  return (
    expected.length === segments.length &&
    expected.every((part, i) => (part.startsWith('{') ? segments[i] !== '' : part === segments[i]))
  );
}
