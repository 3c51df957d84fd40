import { fallback } from '#shared/contract/fallback.ts';
import { routePaths } from '#shared/contract/route-paths.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { ApiError, notFound } from '#shared/model/errors.ts';

export const handler = endpoint(fallback, async ({ path }) => {
  const here = routePaths.filter((route) => matches(route.path, path));
  if (here.length === 0) throw notFound('no such path');
  // Several routes may match a path: /users/me is also a /users/{uid}.
  const allowed = [...new Set(here.map(({ method }) => method))];
  throw new ApiError('method_not_allowed', { headers: { allow: allowed.join(', ') } });
});

function matches(template: string, path: string): boolean {
  const expected = template.split('/');
  const given = path.split('/');
  return (
    expected.length === given.length &&
    expected.every((part, i) => (part.startsWith('{') ? given[i] !== '' : part === given[i]))
  );
}
