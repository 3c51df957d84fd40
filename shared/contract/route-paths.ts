import { routes } from './api.ts';

/**
 * The method and path of every route. A bundle has them as data, without the schemas of the routes (lib/own-route.ts).
 */
export const routePaths = routes.map(({ method, path }) => ({ method, path }));
