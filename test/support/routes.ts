import type * as z from 'zod';
import { api } from '../../shared/contract/api.ts';
import type { Route, RouteSpec } from '../../shared/contract/route.ts';
import type { Answer, Call } from './call.ts';

type Api = typeof api;
type Names<S> = S extends z.ZodObject ? keyof z.input<S> : never;
/**
 * Path, query and body fields of a route in one object. Names are type-checked; values are not, for invalid requests.
 */
type Input<R extends RouteSpec> = Partial<
  Record<Names<R['params']> | Names<R['query']> | Names<R['body']>, unknown>
>;
type More = Pick<Call, 'headers'>;

/** `routes.members.add({ workspace_id, user_id, role })`, and likewise for every route of the contract. */
export type Routes = {
  [G in keyof Api]: {
    [V in keyof Api[G]]: Api[G][V] extends RouteSpec
      ? (input?: Input<Api[G][V]>, more?: More) => Promise<Answer>
      : never;
  };
};

/** The caller: a user, a project's backend, or an Authorization header. */
export type Caller = { bearer: string } | { basic: string } | string | undefined;

/**
 * Makes every route callable by its name. Calls resolve with every response, also errors.
 *
 * @param send calls the server
 */
export function routesAs(send: (request: Call) => Promise<Answer>, caller: Caller): Routes {
  const auth =
    typeof caller === 'object' ? ('basic' in caller ? caller.basic : caller.bearer) : caller;
  const toCall =
    (route: Route) =>
    (input: Record<string, unknown> = {}, more: More = {}): Promise<Answer> => {
      const { params = {}, query, body } = divide(route, input);
      return send({
        method: route.method,
        path: pathOf(route, params),
        auth,
        query,
        body,
        ...more,
      });
    };
  return Object.fromEntries(
    Object.entries(api).map(([group, routes]) => [
      group,
      Object.fromEntries(
        Object.entries(routes as Record<string, Route>).map(([verb, route]) => [
          verb,
          toCall(route),
        ]),
      ),
    ]),
  ) as Routes;
}

/** The path of a route with these parameters. */
export const pathOf = (route: RouteSpec, params: Record<string, unknown>): string =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  );

/**
 * Assigns each field to path, query or body. Unknown fields go into the body, or the query of a route without a body.
 */
function divide(route: RouteSpec, input: Record<string, unknown>) {
  const parts: Record<'params' | 'query' | 'body', Record<string, unknown> | undefined> = {
    params: undefined,
    query: undefined,
    body: route.body && {},
  };
  const partOf = (name: string) =>
    (['params', 'query', 'body'] as const).find((part) => name in (route[part]?.shape ?? {})) ??
    (route.body ? 'body' : 'query');
  for (const [name, value] of Object.entries(input))
    if (value !== undefined) (parts[partOf(name)] ??= {})[name] = value;
  return parts;
}
