import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sharedBeginnings } from '#shared/directory/find-page.ts';

const term = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '@'), minLength: 1, maxLength: 6 });

test('of the terms that begin with a text exactly one counts, whatever the terms and the text', () => {
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

test('what terms share is counted with the one before', () => {
  expect([...sharedBeginnings(['lovelace', 'ada lovelace', 'ada', 'ada@x', 'ada'])]).toEqual([
    ['ada', 0],
    ['ada lovelace', 3],
    ['ada@x', 3],
    ['lovelace', 0],
  ]);
});
