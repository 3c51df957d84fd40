import { pages } from './pages.ts';
import type { RouteSpec } from './route.ts';

/**
 * The values of a path parameter that another path has in its place: `assets`, because `/pages/assets/{file}` goes
 * before `/pages/{project_id}/{page}`.
 */
export function reservedFor(
  parameter: string,
  routes: readonly Pick<RouteSpec, 'path'>[],
): string[] {
  const paths = routes.map(({ path }) => path.split('/'));
  const reserved = paths.flatMap((path) => {
    const at = path.indexOf(`{${parameter}}`);
    const before = path.slice(0, at).join('/');
    return paths.flatMap((other) => {
      const name = other[at] ?? '';
      const isBeside = at >= 0 && other.slice(0, at).join('/') === before;
      return isBeside && name !== '' && !name.startsWith('{') ? [name] : [];
    });
  });
  return [...new Set(reserved)].toSorted();
}

/** Ids that no project may have: its pages could not be reached. A test compares them with all routes. */
export const reservedProjectIds: readonly string[] = reservedFor(
  'project_id',
  Object.values(pages),
);
