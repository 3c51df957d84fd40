import { expect, test } from 'vitest';
import { pageOf } from '#shared/db/page.ts';

const all = ['a', 'b', 'c', 'd', 'e'];
const page = (given: { offset?: number; limit?: number; after?: string }, of = all) =>
  pageOf(of, { offset: 0, limit: 2, ...given }, (each) => each);

test.each([
  [{}, ['a', 'b'], 'b'],
  [{ offset: 1 }, ['b', 'c'], 'c'],
  [{ offset: 3 }, ['d', 'e'], undefined],
  [{ offset: 4 }, ['e'], undefined],
  [{ offset: 5 }, [], undefined],
  [{ limit: 5 }, all, undefined],
  [{ limit: 4 }, ['a', 'b', 'c', 'd'], 'd'],
  [{ after: 'b' }, ['c', 'd'], 'd'],
  [{ after: 'c' }, ['d', 'e'], undefined],
  [{ after: 'e' }, [], undefined],
])('%j returns %j, with the next cursor %j', (given, items, next) => {
  expect(page(given)).toEqual({ items, next });
});

test('continues after a cursor whose element is gone', () => {
  expect(page({ after: 'b' }, ['a', 'c', 'd'])).toEqual({ items: ['c', 'd'], next: undefined });
});

test('an empty list has an empty page', () => {
  expect(page({}, [])).toEqual({ items: [], next: undefined });
});
