import { basicChallenge } from '../access/authenticate.ts';
import type { ProjectCaller } from '../access/caller.ts';
import type { Route } from '../contract/route.ts';
import { scopeOf } from '../contract/scopes.ts';
import { ApiError } from '../model/errors.ts';
import { hasScope } from '../model/scopes.ts';

/**
 * Throws `insufficient_scope` unless the secret of a backend has the scope of the route, with the parameters of RFC
 * 6750 section 3.1, which has no equivalent for Basic.
 */
export function requireScope({ scopes }: ProjectCaller, route: Route): void {
  const scope = scopeOf(route) ?? '';
  if (hasScope(scopes, scope)) return;
  throw new ApiError('insufficient_scope', {
    detail: `The secret does not have the scope ${scope}`,
    headers: {
      'www-authenticate': `${basicChallenge}, error="insufficient_scope", scope="${scope}"`,
    },
  });
}
