import { expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { reservedFor, reservedProjectIds } from '#shared/contract/reserved-ids.ts';

test('the reserved project ids are the fixed path segments in the place of a project id', () => {
  expect(reservedProjectIds).toEqual(reservedFor('project_id', routes));
  expect(reservedProjectIds).toEqual(['assets']);
});

test('a segment is reserved only if the path before it is the same', () => {
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
