import { monthPrefix } from '../db/key-prefixes.ts';
import { type Key, keys, type Listed } from '../db/keys.ts';
import { query } from '../db/query.ts';
import type { Page } from '../model/page.ts';

/** Which part of the list, and from which end. The times are exclusive, in ISO with milliseconds. */
export type Span = {
  order?: 'asc' | 'desc' | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
};

/** Some ids of a list; `total`: how many there are at least, up to and including these. */
export type IdPage = {
  ids: string[];
  total: number;
  more: boolean;
  /** The position after which the next page starts. */
  next?: string | undefined;
};

/** Sorts behind every id that was created at the same time. */
const last = '#\u{10ffff}';

/**
 * One page of all users or workspaces of a project, by creation, newest first by default. Each has a small item in the
 * partition of its month, which the stream function keeps, about a second late. A page reads the months that have any,
 * one after the other, until it is full: it costs the same however many there are.
 */
export async function listByCreation(
  listed: Listed,
  project_id: string,
  { order = 'desc', created_after, created_before }: Span,
  { offset, limit, after }: Page,
  now: Date,
): Promise<IdPage> {
  const newestFirst = order === 'desc';
  const [seen, position] = after === undefined ? [0, undefined] : readPosition(after);
  const [from, until] = newestFirst
    ? [created_before, created_after]
    : [created_after && created_after + last, created_before];
  const begin = position ?? from;
  const isBeyond = ({ sk }: Key) =>
    until !== undefined && (newestFirst ? sk < until + last : sk >= until);
  const skip = after === undefined ? offset : 0;
  // One more shows whether another page follows.
  const target = skip + limit + 1;
  const entries: Key[] = [];
  for (const month of await readMonths(listed, project_id, newestFirst, now)) {
    if (begin !== undefined && isBefore(month, monthOf(begin), newestFirst)) continue;
    if (until !== undefined && isBefore(monthOf(until), month, newestFirst)) break;
    const { pk: partition } = keys.directoryEntry(listed, project_id, month, '');
    const { items } = await query<Key>({
      partition,
      prefix: month,
      newestFirst,
      limit: target - entries.length,
      ...(begin !== undefined &&
        monthOf(begin) === month && { after: { pk: partition, sk: begin } }),
    });
    entries.push(...items.filter((entry) => !isBeyond(entry)));
    if (entries.length === target) break;
  }
  const page = entries.slice(skip, skip + limit);
  const more = entries.length === target;
  const total = seen + Math.min(entries.length, skip + limit);
  const end = page.at(-1);
  return {
    ids: page.map(({ sk }) => sk.slice(sk.indexOf('#') + 1)),
    total: more ? total + 1 : total,
    more,
    next: more && end ? `${total} ${end.sk}` : undefined,
  };
}

/** How many were before a position, and the sort key there. */
export function readPosition(position: string): [number, string] {
  const space = position.indexOf(' ');
  return [Number(position.slice(0, space)), position.slice(space + 1)];
}

const monthOf = (time: string): string => time.slice(0, 7);

/** Whether a month comes before another in the order of the list. */
const isBefore = (one: string, other: string, newestFirst: boolean): boolean =>
  newestFirst ? one > other : one < other;

/** The months that have users or workspaces, and this month, in which somebody may be just created. */
async function readMonths(
  listed: Listed,
  project_id: string,
  newestFirst: boolean,
  now: Date,
): Promise<string[]> {
  const { pk: partition } = keys.directoryMonth(listed, project_id, '');
  const { items } = await query({ partition, prefix: monthPrefix });
  const noted = items.map(({ sk }) => sk.slice(monthPrefix.length));
  const months = [...new Set([...noted, monthOf(now.toISOString())])].sort();
  return newestFirst ? months.toReversed() : months;
}
