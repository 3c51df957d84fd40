import type { Key } from '../db/keys.ts';
import { query } from '../db/query.ts';
import { normal } from './terms.ts';

/**
 * Each term has a small item of its own, so that a search reads only what it finds. The stream function maintains these
 * items, about a second late, so the caller reads what was found and asks again whether it is found by the text.
 */

/** Terms that one search reads. A user who finds too much types another letter. */
const maxFound = 300;

/** The key of a term item: the sort key is the term and the id, which contains no `#`. */
export type KeyOf = (term: string, id: string) => Key;

/** The ids that are found by the beginning of a term, sorted, and whether there are more than one search reads. */
export async function findIds(
  keyOf: KeyOf,
  text: string,
): Promise<{ ids: string[]; more: boolean }> {
  const prefix = normal(text);
  if (prefix === '') return { ids: [], more: false };
  const { pk } = keyOf(prefix, '');
  const { items: terms } = await query<Key>({ partition: pk, prefix, limit: maxFound + 1 });
  const found = terms
    .slice(0, maxFound)
    .map(termAndId)
    // A text with a # must not match the id in the sort key.
    .filter(([term]) => term.startsWith(prefix))
    .map(([, id]) => id);
  return { ids: [...new Set(found)].sort(), more: terms.length > maxFound };
}

/** The term and the id in the sort key of a term item. */
export const termAndId = ({ sk }: Pick<Key, 'sk'>): readonly [term: string, id: string] => {
  const end = sk.lastIndexOf('#');
  return [sk.slice(0, end), sk.slice(end + 1)];
};

/** The term items that come and go as something changes what it is found by. */
export function termChanges(
  keyOf: (term: string) => Key,
  before: readonly string[],
  after: readonly string[],
): { puts: Key[]; removals: Key[] } {
  const [old, now] = [new Set(before), new Set(after)];
  return {
    puts: [...now].filter((term) => !old.has(term)).map(keyOf),
    removals: [...old].filter((term) => !now.has(term)).map(keyOf),
  };
}
