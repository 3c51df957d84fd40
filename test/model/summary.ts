/** Counts as a person reads them: the most frequent first. */
export const byNumber = (counts: Iterable<readonly [string | number, number]>): string =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** How many there are of each name. */
export const countBy = <T>(all: readonly T[], name: (each: T) => string): [string, number][] =>
  [...Map.groupBy(all, name)].map(([key, some]) => [key, some.length]);

/** A part of a whole. */
export const percent = (part: number, whole: number, digits = 3): string =>
  `${((100 * part) / whole).toFixed(digits)} %`;
