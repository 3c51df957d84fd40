/** @module-tag engine */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { type IdPage, listByCreation, type Span } from '#shared/directory/list.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();
const now = new Date('2026-11-30T12:00:00.000Z');
const months = ['2026-07', '2026-09', '2026-10', '2026-11'];
/** Times of creation, several in each month, two of them at once. */
const created = months.flatMap((month) =>
  ['02', '02', '10', '20'].map(
    (day, i) => [`${month}-${day}T08:00:00.000Z`, `${month}-${i}`] as const,
  ),
);
await faults.seed([
  ...months.slice(0, -1).map((month) => keys.directoryMonth('USERS', 'p', month)),
  ...created.map(([time, id]) => keys.directoryEntry('USERS', 'p', time, id)),
]);

const list = (span: Span, offset: number, limit: number, after?: string) =>
  request(() => listByCreation('USERS', 'p', span, { offset, limit, after }, now), 20_000);

/** The ids that a list has in whole. */
function idsIn({ order = 'desc', created_after, created_before }: Span): string[] {
  const within = created.filter(
    ([time]) =>
      (created_after === undefined || time > created_after) &&
      (created_before === undefined || time < created_before),
  );
  const ids = within.map(([, id]) => id);
  return order === 'desc' ? ids.toReversed() : ids;
}

const time = fc.constantFrom(undefined, ...new Set(created.map(([at]) => at)));
const span = fc.record({
  order: fc.constantFrom(undefined, 'asc' as const, 'desc' as const),
  created_after: time,
  created_before: time,
});

test('pages of every size have all ids of a span, in order, over months with and without any', async () => {
  await fc.assert(
    fc.asyncProperty(
      span,
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 1, max: 9 }),
      async (some, offset, limit) => {
        const expected = idsIn(some);
        const pages: IdPage[] = [await list(some, offset, limit)];
        for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next)
          pages.push(await list(some, 0, limit, next));
        expect(pages.flatMap(({ ids }) => ids)).toEqual(expected.slice(offset));
        for (const [i, page] of pages.entries()) {
          const through = Math.min(expected.length, offset + limit * (i + 1));
          const more = expected.length > through;
          expect(page).toMatchObject({ more, total: more ? through + 1 : through });
        }
      },
    ),
    { numRuns: 150 },
  );
});

test.each([
  ['the months before the span', { created_after: '2026-10-15T00:00:00.000Z' }, 9, 3],
  ['the months before one that has nothing', { created_after: '2026-08-15T00:00:00.000Z' }, 15, 4],
  ['the months after the span', { order: 'asc', created_before: '2026-07-15T00:00:00.000Z' }, 9, 2],
  ['further months once the page is full', {}, 3, 2],
] satisfies [string, Span, number, number][])('no page reads %s', async (_, some, limit, reads) => {
  faults.reset();
  await list(some, 0, limit);
  // The first reads which months there are.
  expect(faults.operations()).toEqual(Array.from({ length: reads }, () => 'Query'));
});
