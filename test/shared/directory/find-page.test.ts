/** @module-tag engine */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { findPage, sharedBeginnings } from '#shared/directory/find-page.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();
const keyOf = (term: string, id: string) => keys.directoryTerm('USERS', 'p', term, id);
const pageOf = (offset: number, limit: number, after?: string) =>
  request(() => findPage(keyOf, 'ada', { offset, limit, ...(after && { after }) }), 20_000);

const term = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', '@', '#'),
  minLength: 1,
  maxLength: 6,
});

test('of the terms that begin with a text, exactly one counts', () => {
  fc.assert(
    fc.property(fc.array(term, { maxLength: 10 }), term, (terms, text) => {
      const shared = sharedBeginnings(terms);
      expect([...shared.keys()].sort()).toEqual([...new Set(terms)].sort());
      const found = [...shared].filter(([each]) => each.startsWith(text));
      const counting = found.filter(([, length]) => length < text.length);
      expect(counting).toHaveLength(found.length > 0 ? 1 : 0);
    }),
    { numRuns: 5_000 },
  );
});

test('the shared beginning of a term is counted with the term before it', () => {
  expect([...sharedBeginnings(['lovelace', 'ada lovelace', 'ada', 'ada@x', 'ada'])]).toEqual([
    ['ada lovelace', 0],
    ['ada', 3],
    ['ada@x', 3],
    ['lovelace', 0],
  ]);
});

test('a page after a thousand repetitions takes few queries, and keeps the offset', async () => {
  const repeated = Array.from({ length: 1_200 }, (_, i) => `r${1_000 + i}`);
  const counting = ['u1', 'u2', 'u3', 'u4'];
  await faults.seed([
    ...repeated.map((id) => ({ ...keyOf('ada', id), shared: 3 })),
    ...counting.map((id) => keyOf('adaz', id)),
  ]);
  const first = await pageOf(2, 1);
  expect(first).toMatchObject({ ids: [], total: 0, more: true });
  expect(faults.calls.length).toBeLessThanOrEqual(12);
  const second = await pageOf(0, 1, first.next);
  expect(second).toMatchObject({ ids: ['u3'], total: 4, more: true });
  expect(await pageOf(0, 5, second.next)).toEqual({ ids: ['u4'], total: 4, more: false });
});
