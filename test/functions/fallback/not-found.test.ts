import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();

test.each([
  ['GET', '//'],
  ['GET', '/nope'],
  ['GET', '/users/'],
  ['GET', '/Users/me'],
  ['DELETE', '/projects'],
  ['GET', '/stream'],
  // An escaped slash is part of a segment: no route matches, although decoding it gives an existing path.
  ['GET', '/users%2Fme'],
])('404 for %s %s, with or without a credential', async (method, path) => {
  for (const auth of [undefined, world.project.basic, 'Bearer x'])
    expectProblem(await world.call(method, path, auth), 'not_found');
});

test('404 whatever the query, the body and the headers are', async () => {
  const answer = await world.call('POST', '/nope', undefined, '{"not json', {
    headers: { 'content-type': 'text/csv' },
    query: { a: '1' },
  });
  expectProblem(answer, 'not_found');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});
