import { createHash } from 'node:crypto';

/**
 * The counters of a project for a day, and its totals, are the sum of as many items: one item takes 1,000 write units
 * a second, and transactions that meet in one conflict.
 */
export const statisticsParts = 8;

/** The part in which something is counted, by what it belongs to: the same for the same, and even over all. */
export const partOf = (subject: string): number =>
  (createHash('sha256').update(subject).digest()[0] ?? 0) % statisticsParts;
