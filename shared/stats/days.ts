/** Days and months of UTC, as the beginning of an ISO time: `2026-11-23`, `2026-11`. */

const dayLength = 86_400_000;

export const dayOf = (time: string): string => time.slice(0, 10);
export const monthOf = (time: string): string => time.slice(0, 7);

/** The first day of the month of a day. */
export const firstOfMonth = (day: string): string => `${monthOf(day)}-01`;

/** The last days until now, oldest first. */
export const lastDays = (count: number, now: Date): string[] =>
  Array.from({ length: count }, (_, i) => daysAfter(now.getTime(), i + 1 - count));

/** The day before a day. */
export const dayBefore = (day: string): string => daysAfter(Date.parse(day), -1);

const daysAfter = (time: number, days: number): string =>
  dayOf(new Date(time + days * dayLength).toISOString());

/** Epoch seconds of the beginning of a day. */
export const beginOf = (day: string): number => Date.parse(day) / 1_000;
