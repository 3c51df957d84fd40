import { expect, test } from 'vitest';
import { findIds, termChanges } from '#shared/directory/find.ts';

const keyOf = (term: string, id = 'ada') => ({ pk: 'FIND', sk: `${term}#${id}` });

test('a text of blanks finds nothing, and reads nothing', async () => {
  expect(await findIds(keyOf, ' \u3000')).toEqual({ ids: [], more: false });
});

test('of changed terms only the new ones are written, and only the old ones removed', () => {
  expect(termChanges((term) => keyOf(term), ['ada', 'king'], ['king', 'lovelace'])).toEqual({
    puts: [keyOf('lovelace')],
    removals: [keyOf('ada')],
  });
});
