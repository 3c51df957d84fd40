import { type Key, keys, type Listed } from '../db/keys.ts';
import { query } from '../db/query.ts';
import type { Page } from '../model/page.ts';
import { type KeyOf, termAndId } from './find.ts';
import { type IdPage, listByCreation, readPosition, type Span } from './list.ts';
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
/** Items of each query after the first, so that a short page is not many queries. */
const readAtOnce = 100;

/** One page of all users or workspaces of a project: by creation, or what is found by a text. */
export const findListed = (
  listed: Listed,
  project_id: string,
  { text, ...span }: Span & { text: string | undefined },
  page: Page,
  now: Date,
): Promise<IdPage> =>
  text === undefined
    ? listByCreation(listed, project_id, span, page, now)
    : findPage((term, id) => keys.directoryTerm(listed, project_id, term, id), text, page);

/**
 * One page of what is found by the beginning of a term, in the order of the terms, however many there are: it continues
 * where the page before ended. Of several terms of one user or workspace that begin with the text only the first
 * counts, so each is found once, without a look at the pages before. A page may be short, or empty, before the last;
 * the next then passes over what is left of the offset.
 */
export async function findPage(
  keyOf: KeyOf,
  text: string,
  { offset, limit, after }: Page,
): Promise<IdPage> {
  const prefix = normal(text);
  if (prefix === '') return { ids: [], total: 0, more: false };
  const { pk: partition } = keyOf(prefix, '');
  const [seen, place] = after === undefined ? [0, undefined] : readPosition(after);
  const [skip, start] = place === undefined ? [offset, undefined] : readPosition(place);
  // One more shows whether another page follows.
  const target = skip + limit + 1;
  const found: TermItem[] = [];
  let at = start;
  let more = true;
  for (let left = maxRead + skip; more && left > 0 && found.length < target; ) {
    const { items, more: further } = await query<TermItem>({
      partition,
      prefix,
      limit: Math.min(left, Math.max(target - found.length, at === start ? 0 : readAtOnce)),
      ...(at !== undefined && { after: { pk: partition, sk: at } }),
    });
    for (const item of items) if (isFirst(item, prefix)) found.push(item);
    left -= items.length;
    at = items.at(-1)?.sk ?? at;
    more = further;
  }
  const page = found.slice(skip, skip + limit);
  const isFull = found.length >= target;
  const end = isFull ? page.at(-1)?.sk : at;
  const passed = Math.min(found.length, skip + limit);
  const total = seen + passed;
  const follows = isFull || more;
  return {
    ids: page.map((item) => termAndId(item)[1]),
    total: isFull ? total + 1 : total,
    more: follows,
    next:
      follows && end !== undefined ? `${total} ${Math.max(0, skip - passed)} ${end}` : undefined,
  };
}

/** Whether no term of the same that comes before begins with the text. A text with a # must not match the id. */
const isFirst = (item: TermItem, prefix: string): boolean =>
  termAndId(item)[0].startsWith(prefix) && (item.shared ?? 0) < prefix.length;

/**
 * The terms of a user or workspace, each with what it shares with those before it, in the order of the sort keys: so
 * the one that counts comes before its repetitions, and the first page is never empty for them.
 */
export function sharedBeginnings(terms: readonly string[]): Map<string, number> {
  const sorted = [...new Set(terms)].sort((a, b) => (`${a}#` < `${b}#` ? -1 : 1));
  return new Map(
    sorted.map((term, i) => [
      term,
      Math.max(0, ...sorted.slice(0, i).map((before) => commonLength(term, before))),
    ]),
  );
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
