import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { noCounts } from '#shared/stats/count-events.ts';
import { countersWrites } from '#shared/stats/counters.ts';
import { partOf, statisticsParts } from '#shared/stats/parts.ts';

test('subjects spread evenly over the parts, each always to the same one', () => {
  const subjects = Array.from({ length: 8_000 }, () => keys.user(randomUUID()).pk);
  const found = Array<number>(statisticsParts).fill(0);
  for (const subject of subjects) found[partOf(subject)] = (found[partOf(subject)] ?? 0) + 1;
  // Expected are 1,000 each with a deviation of 30.
  for (const count of found) expect(Math.abs(count - 1_000)).toBeLessThan(250);
  expect(subjects.map(partOf)).toEqual(subjects.map(partOf));
});

test('transactions of different logs write different items, two each', () => {
  const counts = { ...noCounts(), totals: { users: 1 }, days: new Map([['2026-11-24', { a: 1 }]]) };
  const items = Array.from({ length: 200 }, () => {
    const { pk } = keys.user(randomUUID());
    const writes = countersWrites('acme', counts, 'counted', new Date(), pk);
    return Object.values(writes).map((write) => ('key' in write ? write.key.sk : ''));
  });
  expect(new Set(items.map(({ length }) => length))).toEqual(new Set([2]));
  expect(new Set(items.flat()).size).toBe(2 * statisticsParts);
});
