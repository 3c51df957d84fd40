import { expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { reservedFor, reservedProjectIds } from '#shared/contract/reserved-ids.ts';

test('the reserved ids of projects are those that a path of any route has in their place', () => {
  expect(reservedProjectIds).toEqual(reservedFor('project_id', routes));
  expect(reservedProjectIds).toEqual(['assets']);
});

test('a name is reserved only where the paths before it are the same', () => {
  const paths = [
    '/a/{id}/x',
    '/a/b',
    '/a/c/{id}',
    '/d/{id}',
    '/e/f',
    '/a/{other}',
    '/{id}',
  ] as const;
  const routesOf = paths.map((path) => ({ path }));
  expect(reservedFor('id', routesOf)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(reservedFor('id', routesOf.slice(0, -1))).toEqual(['b', 'c']);
});
