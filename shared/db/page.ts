/** Start and size of a page: from an offset, or after a position. */
type Page = { offset: number; limit: number; after?: string | undefined };

/** Returns a page of a list sorted by position, and the position after which the next page starts, if any. */
export function pageOf<T>(
  all: readonly T[],
  { offset, limit, after }: Page,
  positionOf: (each: T) => string,
): { shown: T[]; next: string | undefined } {
  const passed = (each: T) => after !== undefined && positionOf(each) <= after;
  const begin = after === undefined ? offset : all.filter(passed).length;
  const shown = all.slice(begin, begin + limit);
  const last = shown.at(-1);
  const more = begin + limit < all.length;
  return { shown, next: more && last !== undefined ? positionOf(last) : undefined };
}
