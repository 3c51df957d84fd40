import { describe, expect, test } from 'vitest';
import { type Heat, Partitions } from '../../../bench/simulate/partitions.ts';

const evenly = (count: number, each: { read: number; write: number }): Heat[] =>
  Array.from({ length: count }, (_, i) => ({ name: `${i}`, position: i / count, ...each }));
const patience = 2.5;

/** Serves this many seconds; returns the units offered in them and those that failed. */
function run(partitions: Partitions, seconds: number, factor = 1) {
  const before = [partitions.offered.write, partitions.failed.write] as const;
  for (let i = 0; i < seconds; i += 1) partitions.step(factor);
  return {
    offered: partitions.offered.write - before[0],
    failed: partitions.failed.write - before[1],
  };
}

test('one item with 2,000 write units per second gets 1,000, for any duration', () => {
  const hot: Heat = { name: 'hot', position: 0.5, read: 0, write: 2_000 };
  const others = evenly(100, { read: 0, write: 1 });
  const partitions = new Partitions([...others, hot], { patience, count: 1 });
  run(partitions, 3 * 3_600);
  // Its partition was split until it contains only this item.
  expect(partitions.parts.find(({ items }) => items.includes(hot))?.items).toEqual([hot]);
  expect(run(partitions, 600)).toEqual({ offered: 600 * 2_100, failed: 600 * 1_000 });
  expect(partitions.servedOf(hot, 'write')).toBeLessThan(0.5);
  expect(partitions.waitOf(hot, 'write')).toBe(patience);
  expect(partitions.servedOf(others[0] as Heat, 'write')).toBe(1);
});

test('the same load on many items is throttled until its partitions are split', () => {
  const partitions = new Partitions(evenly(1_000, { read: 0, write: 4 }), { patience, count: 1 });
  expect(run(partitions, 60).failed).toBeGreaterThan(0);
  run(partitions, 3_600);
  expect(partitions.parts.length).toBeGreaterThanOrEqual(5);
  expect(run(partitions, 600)).toEqual({ offered: 600 * 4_000, failed: 0 });
});

test('reads are limited to 3,000 units per partition', () => {
  const hot: Heat = { name: 'hot', position: 0, read: 6_000, write: 0 };
  const partitions = new Partitions([hot], { patience });
  for (let i = 0; i < 600; i += 1) partitions.step();
  expect(partitions.waitOf(hot, 'read')).toBe(patience);
  expect(partitions.offered.read - partitions.failed.read).toBe(600 * 3_000 + 3_000 * patience);
});

test('unused units of 300 seconds serve one burst of at most twice the limit', () => {
  const item: Heat = { name: 'item', position: 0, read: 0, write: 500 };
  const partitions = new Partitions([item], { patience: 0 });
  run(partitions, 1_000, 0.2);
  // 100 of 1,000 units were used: the bucket has its 300,000, and each second of the burst takes 1,000 of them.
  expect(run(partitions, 300, 4)).toEqual({ offered: 300 * 2_000, failed: 0 });
  expect(run(partitions, 10, 4)).toEqual({ offered: 10 * 2_000, failed: 10 * 1_000 });
});

describe('an index', () => {
  test('that is too hot throttles the writes of the table', () => {
    const entry: Heat = { name: 'entry', position: 0.5, read: 0, write: 2_000 };
    const index = new Partitions([entry], { patience: 0 });
    const items = evenly(1_000, { read: 0, write: 2 }).map((item) => ({
      ...item,
      entry: { index, of: entry },
    }));
    const other: Heat = { name: 'other', position: 0.7, read: 0, write: 10 };
    const table = new Partitions([...items, other], { patience: 0, count: 10 });
    for (let i = 0; i < 60; i += 1) {
      index.step();
      table.step();
    }
    // No partition of the table has more than 210 units.
    expect(table.servedOf(items[0] as Heat, 'write')).toBe(0.5);
    expect(table.servedOf(other, 'write')).toBe(1);
    expect(table.failed.write).toBe(60 * 1_000);
  });

  test('with enough capacity throttles nothing', () => {
    const entry: Heat = { name: 'entry', position: 0.5, read: 0, write: 900 };
    const index = new Partitions([entry], { patience: 0 });
    const item: Heat = { name: 'item', position: 0, read: 0, write: 900 };
    const table = new Partitions([{ ...item, entry: { index, of: entry } }], { patience: 0 });
    index.step();
    table.step();
    expect(table.failed.write).toBe(0);
  });
});

test('the quota of the table limits it, with any number of partitions', () => {
  const items = evenly(1_000, { read: 0, write: 50 });
  const partitions = new Partitions(items, { patience: 0, quota: 40_000, count: 100 });
  expect(run(partitions, 10)).toEqual({ offered: 500_000, failed: 100_000 });
});
