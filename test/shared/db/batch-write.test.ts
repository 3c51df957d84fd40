/** @module-tag engine */
import { expect, test } from 'vitest';
import { getItem } from '#shared/db/batch-loader.ts';
import { writeBatch } from '#shared/db/batch-write.ts';
import { exception, lostAnswers, onlyTheFirst } from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();

let batches = 0;
/** This many items of a separate partition. */
function items(count: number) {
  batches += 1;
  return Array.from({ length: count }, (_, i) => ({ pk: `P#${batches}`, sk: `S#${i}`, i }));
}
const write = (...batch: Parameters<typeof writeBatch>) => request(() => writeBatch(...batch));
const found = async (all: ReturnType<typeof items>) =>
  (await request(() => Promise.all(all.map(({ pk, sk }) => getItem({ pk, sk }))))).filter(
    (item) => item !== undefined,
  );
const sizes = (calls = faults.calls) =>
  calls.map(({ body }) => Object.values(body['RequestItems'] as object)[0].length);

test('puts and deletes items, at most 25 in a call', async () => {
  const [old, fresh] = [items(10), items(50)];
  await write(old, []);
  faults.reset();
  await write(fresh, old);
  // With a slow engine, calls may have been repeated.
  const asked = new Map(faults.calls.map((call) => [JSON.stringify(call.body), call]));
  expect(sizes([...asked.values()])).toEqual([25, 25, 10]);
  expect(await found(fresh)).toEqual(fresh);
  expect(await found(old)).toEqual([]);
});

test('a repeated write changes nothing', async () => {
  const [old, fresh] = [items(2), items(2)];
  for (let i = 0; i < 2; i += 1) await write(fresh, old);
  expect(await found(fresh)).toEqual(fresh);
});

test('an empty write sends no call', async () => {
  await write([], []);
  expect(faults.calls).toEqual([]);
});

test('unprocessed items are retried, without the others', async () => {
  const all = items(20);
  faults.inject(onlyTheFirst(8));
  faults.inject(onlyTheFirst(5));
  await write(all, []);
  expect(sizes()).toEqual([20, 12, 7]);
  expect(await found(all)).toEqual(all);
});

test('a lost response is retried', async () => {
  const all = items(3);
  for (const fault of ['reset after it was done', 'half an answer'] as const)
    faults.inject(lostAnswers[fault] ?? exception('InternalServerError', 500));
  await write(all, []);
  expect(await found(all)).toEqual(all);
});

test('items that stay unprocessed are temporarily unavailable at the deadline', async () => {
  faults.inject(onlyTheFirst(0), { times: Infinity });
  const writing = request(() => writeBatch(items(1), []), 300);
  await expect(writing).rejects.toMatchObject({ code: 'temporarily_unavailable' });
});
