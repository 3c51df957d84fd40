import { count } from '../texts.ts';

/** Seconds of a day. */
export const daySeconds = 86_400;

/** Numbers of days to choose from, each with its words. */
export const daysOf = (...numbers: readonly number[]) =>
  numbers.map((days) => [days, count('days', days)] as const);
