import type { Operation } from './api.ts';
import type { Route } from './route.ts';

/** A route of the contract, with the name of its operation. */
export type NamedRoute = Route & { name: Operation };

/** The paths of an OpenAPI document: one operation for each route, under its path and lower-case method. */
export function pathsOf<T>(
  routes: readonly NamedRoute[],
  operationOf: (route: NamedRoute) => T,
): Record<string, Record<string, T>> {
  const paths: Record<string, Record<string, T>> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  return paths;
}
