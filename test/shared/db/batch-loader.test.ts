/** @module-tag engine */
import { beforeAll, describe, expect, test } from 'vitest';
import { getAttributes, getItem } from '#shared/db/batch-loader.ts';
import { exception, onlyTheFirst } from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();
const key = (i: number) => ({ pk: `P#${i % 7}`, sk: `S#${i}` });
const all = Array.from({ length: 120 }, (_, i) => i);

beforeAll(() => faults.seed(all.map((i) => ({ ...key(i), i }))));

test('a single key is one consistent GetItem', async () => {
  expect(await request(() => getItem(key(5)))).toMatchObject({ ...key(5), i: 5 });
  expect(faults.calls).toMatchObject([{ operation: 'GetItem', body: { ConsistentRead: true } }]);
  expect(await request(() => getItem({ pk: 'nothing', sk: 'here' }))).toBeUndefined();
});

test('the keys of one turn of the event loop are one consistent BatchGetItem, which reads each once', async () => {
  const found = await request(() =>
    Promise.all([
      getItem(key(1)),
      (async () => {
        for (let i = 0; i < 20; i += 1) await Promise.resolve();
        return getItem(key(2));
      })(),
      getItem(key(1)),
      getItem({ pk: 'nothing', sk: 'here' }),
    ]),
  );
  expect(found.map((item) => item?.['i'])).toEqual([1, 2, 1, undefined]);
  expect(faults.operations()).toEqual(['BatchGetItem']);
  const [batch] = Object.values(faults.calls[0]?.body['RequestItems'] as object);
  expect(batch).toMatchObject({ ConsistentRead: true });
  expect(batch.Keys).toHaveLength(3);
});

test('a key is read again after its first response', async () => {
  await request(async () => {
    await getItem(key(1));
    await getItem(key(1));
  });
  expect(faults.operations()).toEqual(['GetItem', 'GetItem']);
});

test('two requests share no read, because each has its own deadline', async () => {
  await Promise.all([request(() => getItem(key(1))), request(() => getItem(key(1)))]);
  expect(faults.operations()).toEqual(['GetItem', 'GetItem']);
});

test('more than 100 keys are two batches', async () => {
  const found = await request(() => Promise.all(all.map((i) => getItem(key(i)))));
  expect(found.map((item) => item?.['i'])).toEqual(all);
  expect(faults.operations()).toEqual(['BatchGetItem', 'BatchGetItem']);
});

test('keys that DynamoDB leaves unprocessed are retried until none is left', async () => {
  faults.inject(onlyTheFirst(0));
  faults.inject(onlyTheFirst(4), { times: 3 });
  const found = await request(() => Promise.all(all.slice(0, 20).map((i) => getItem(key(i)))));
  expect(found.map((item) => item?.['i'])).toEqual(all.slice(0, 20));
  expect(faults.operations()).toHaveLength(5);
});

test('keys that stay unprocessed make the read temporarily unavailable, never missing', async () => {
  faults.inject(onlyTheFirst(1), { times: Infinity });
  const reading = request(() => Promise.all(all.slice(0, 50).map((i) => getItem(key(i)))), 300);
  await expect(reading).rejects.toMatchObject({ code: 'temporarily_unavailable', retryAfter: 1 });
});

test('a failed read fails all its callers, but not a later read', async () => {
  faults.inject(exception('ValidationException'));
  const ended = await request(() => Promise.allSettled([getItem(key(1)), getItem(key(2))]));
  const failed = { reason: { name: 'ValidationException' } };
  expect(ended).toMatchObject([failed, failed]);
  expect(await request(() => getItem(key(1)))).toMatchObject({ i: 1 });
});

test('a failed read that is not awaited does not end the process', async () => {
  faults.inject(exception('ValidationException'));
  await request(async () => {
    void getItem(key(1));
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  expect(faults.operations()).toEqual(['GetItem']);
});

describe('some attributes of many items', () => {
  beforeAll(() => faults.seed([{ ...key(200), role: 'x', profile: 'long' }]));

  test('are returned in the order of their keys, with undefined for a missing item', async () => {
    const wanted = [key(200), { pk: 'nothing', sk: 'here' }, key(1)];
    const found = await request(() => getAttributes(wanted, ['role', 'i']));
    expect(found).toEqual([{ ...key(200), role: 'x' }, undefined, { ...key(1), i: 1 }]);
    expect(faults.operations()).toEqual(['BatchGetItem']);
  });

  test('take as many calls as whole items, and unprocessed keys are retried', async () => {
    faults.inject(onlyTheFirst(4));
    const found = await request(() => getAttributes<{ i: number }>(all.map(key), ['i']));
    expect(found.map((item) => item?.i)).toEqual(all);
    expect(faults.operations()).toEqual(['BatchGetItem', 'BatchGetItem', 'BatchGetItem']);
    for (const { body } of faults.calls)
      expect(Object.values(body['RequestItems'] as object)).toEqual([
        expect.objectContaining({ ConsistentRead: true, ProjectionExpression: '#pk, #sk, #i' }),
      ]);
  });
});
