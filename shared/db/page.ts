import type { Page } from '../model/page.ts';

/** Returns a page of a list sorted by position, and the position after which the next page starts, if any. */
export function pageOf<T>(
  all: readonly T[],
  { offset, limit, after }: Page,
  positionOf: (each: T) => string,
): { items: T[]; next: string | undefined } {
  const passed = (each: T) => after !== undefined && positionOf(each) <= after;
  const begin = after === undefined ? offset : all.filter(passed).length;
  const items = all.slice(begin, begin + limit);
  const last = items.at(-1);
  const more = begin + limit < all.length;
  return { items, next: more && last !== undefined ? positionOf(last) : undefined };
}
