import { expect, test, vi } from 'vitest';
import { BoundedMap } from '#shared/model/bounded-map.ts';
import { ReadCache } from '#shared/model/read-cache.ts';

const at = (seconds: number) => new Date(seconds * 1_000);

test('a bounded map keeps the entries that were set last', () => {
  const map = new BoundedMap<number>(2);
  map.set('a', 1).set('b', 2).set('a', 3);
  expect([...map]).toEqual([
    ['b', 2],
    ['a', 3],
  ]);
  map.set('c', 4);
  expect([...map.keys()]).toEqual(['a', 'c']);
});

test('a value is cached until it is too old, under its own name', async () => {
  const cache = new ReadCache<number>(10);
  const read = vi.fn<() => Promise<number>>();
  read.mockResolvedValueOnce(1).mockResolvedValueOnce(2).mockResolvedValueOnce(3);
  expect(await cache.read('a', at(100), 60, read)).toBe(1);
  expect(await cache.read('a', at(159.999), 60, read)).toBe(1);
  expect(await cache.read('b', at(159.999), 60, read)).toBe(2);
  expect(await cache.read('a', at(160), 60, read)).toBe(3);
  expect(await cache.read('a', at(160), 0.001, read)).toBe(3);
  expect(read).toHaveBeenCalledTimes(3);
});

test('a value is not cached for longer after the clock was set back', async () => {
  const cache = new ReadCache<number>(10);
  const read = vi.fn<() => Promise<number>>();
  read.mockResolvedValueOnce(1).mockResolvedValueOnce(2);
  expect(await cache.read('a', at(4_000), 60, read)).toBe(1);
  // A request that began a moment earlier.
  expect(await cache.read('a', at(3_999), 60, read)).toBe(1);
  expect(await cache.read('a', at(400), 60, read)).toBe(2);
});

test('concurrent readers share one read, and a failure is not cached', async () => {
  const cache = new ReadCache<number>(10);
  const read = vi.fn<() => Promise<number>>(() => Promise.resolve(2));
  read.mockRejectedValueOnce(new Error('no table'));
  const both = [cache.read('a', at(0), 60, read), cache.read('a', at(0), 60, read)];
  for (const each of both) await expect(each).rejects.toThrow('no table');
  expect(await cache.read('a', at(0), 60, read)).toBe(2);
  expect(read).toHaveBeenCalledTimes(2);
});

test('an older read that fails late does not remove a newer value', async () => {
  const cache = new ReadCache<number>(10);
  const first = Promise.withResolvers<number>();
  const earlier = cache.read('a', at(0), 60, () => first.promise);
  const later = cache.read('a', at(60), 60, () => Promise.resolve(2));
  first.reject(new Error('no table'));
  await expect(earlier).rejects.toThrow('no table');
  expect(await later).toBe(2);
  expect(await cache.read('a', at(61), 60, () => Promise.resolve(3))).toBe(2);
});

test('the cache keeps at most its number of values, and no deleted one', async () => {
  const cache = new ReadCache<number>(2);
  let reads = 0;
  const get = (name: string) => cache.read(name, at(0), 60, () => Promise.resolve((reads += 1)));
  for (const name of ['a', 'b', 'c']) await get(name);
  expect([await get('b'), await get('c'), await get('a')]).toEqual([2, 3, 4]);
  cache.delete('a');
  expect(await get('a')).toBe(5);
});
