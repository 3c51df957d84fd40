import { query } from '../db/query.ts';
import type { Key } from '../db/schema.ts';
import { type KeyOf, termAndId } from './find.ts';
import { type Found, type Page, readPosition } from './list.ts';
import { normal } from './terms.ts';

/** A term of a user or workspace in the directory. */
export type TermItem = Key & {
  /** How many characters it begins with like another term of the same, which comes before it; absent for none. */
  shared?: number;
};

/**
 * Term items that one page reads at most, beside those that `offset` passes over: a text may begin many terms of the
 * same users.
 */
const maxRead = 1_000;

/**
 * One page of what is found by the beginning of a term, in the order of the terms, however many there are: it continues
 * where the page before ended. Of several terms of one user or workspace that begin with the text only the first
 * counts, so each is found once, without a look at the pages before. A page may be short, or empty, before the last.
 */
export async function findPage(
  keyOf: KeyOf,
  text: string,
  { offset, limit, after }: Page,
): Promise<Found> {
  const prefix = normal(text);
  if (prefix === '') return { ids: [], total: 0, more: false };
  const { pk: partition } = keyOf(prefix, '');
  const [seen, start] = after === undefined ? [0, undefined] : readPosition(after);
  const skip = after === undefined ? offset : 0;
  // One more shows whether another page follows.
  const wanted = skip + limit + 1;
  const found: TermItem[] = [];
  let at = start;
  let more = true;
  for (let left = maxRead + skip; more && left > 0 && found.length < wanted; ) {
    const { items, more: further } = await query<TermItem>({
      ...{ partition, prefix },
      limit: Math.min(left, Math.max(wanted - found.length, limit)),
      ...(at !== undefined && { after: { pk: partition, sk: at } }),
    });
    for (const item of items) if (isFirst(item, prefix)) found.push(item);
    left -= items.length;
    at = items.at(-1)?.sk ?? at;
    more = further;
  }
  const shown = found.slice(skip, skip + limit);
  const isFull = found.length >= wanted;
  const end = isFull ? shown.at(-1)?.sk : at;
  const total = seen + Math.min(found.length, skip + limit);
  const follows = isFull || more;
  return {
    ids: shown.map((item) => termAndId(item)[1]),
    total: isFull ? total + 1 : total,
    more: follows,
    next: follows && end !== undefined ? `${total} ${end}` : undefined,
  };
}

/** Whether no term of the same that comes before begins with the text. A text with a # must not match the id. */
const isFirst = (item: TermItem, prefix: string): boolean =>
  termAndId(item)[0].startsWith(prefix) && (item.shared ?? 0) < prefix.length;

/** The terms of a user or workspace, each with what it shares with those before it. */
export function sharedBeginnings(terms: readonly string[]): Map<string, number> {
  const sorted = [...new Set(terms)].sort();
  // Between two sorted texts none begins more like either, so the one just before shares the most.
  return new Map(sorted.map((term, i) => [term, commonLength(term, sorted[i - 1] ?? '')]));
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
