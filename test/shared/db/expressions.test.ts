/** @module-tag engine */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Changes, merged } from '#shared/db/change.ts';
import { where } from '#shared/db/condition.ts';
import { applied, toKeyed, toPut, toUpdate } from '#shared/db/expressions.ts';
import type { Item } from '#shared/db/item.ts';
import { updateItem } from '#shared/db/transaction.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();
const there = where('attribute_exists(#pk)');
const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const words = ['name', 'role', 'size', 'ttl', 'a', 'b'];
const numbers = ['version', 'count', 'n'];
const some = <T>(names: string[], of: fc.Arbitrary<T>) =>
  fc.uniqueArray(fc.tuple(fc.constantFrom(...names), of), { selector: ([name]) => name });

/** An item and an update of it in which every attribute is changed in one way, as DynamoDB demands. */
const cases = fc
  .record({
    has: some(words, value),
    counts: some(numbers, fc.integer({ min: -9, max: 9 })),
    changed: some(words, fc.tuple(fc.constantFrom('set', 'once', 'remove'), value)),
    counted: some(numbers, fc.integer({ min: -9, max: 9 })),
    blank: fc.constantFrom('set', 'setIfAbsent', 'increment'),
  })
  .map(({ has, counts, changed, counted, blank }) => {
    const item = Object.fromEntries([...has, ...counts]);
    const by = (way: string) => changed.filter(([, [each]]) => each === way);
    const values = (way: string) =>
      Object.fromEntries(by(way).map(([name, [, each]]) => [name, each]));
    const isThere = ([name]: [string, number]) => name in item;
    const changes: Changes = {
      set: values('set'),
      setIfAbsent: values('once'),
      add: Object.fromEntries(counted.filter(isThere)),
      increment: Object.fromEntries(counted.filter((each) => !isThere(each))),
      remove: by('remove').map(([name]) => name),
    };
    return { item, changes: { ...changes, [blank]: { ...changes[blank as 'set'], x: undefined } } };
  });

test('an update computed locally equals that of DynamoDB', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ({ item, changes }) => {
      count += 1;
      const key = { pk: `EXPRESSIONS#${count}`, sk: 'S' };
      const before: Item = { ...key, ...item };
      await faults.seed([before]);
      const { write_id, ...after } = await request(() => updateItem(key, changes, there));
      expect(write_id).toEqual(expect.any(String));
      expect(applied(before, changes)).toEqual(after);
    }),
    { numRuns: 200 },
  );
});

test('an increment starts at zero for a missing attribute, an addition fails', async () => {
  const item: Item = { pk: 'EXPRESSIONS#none', sk: 'S' };
  await faults.seed([item]);
  const addition = request(() => updateItem(item, { add: { n: 1 } }, there));
  await expect(addition).rejects.toMatchObject({ name: 'ValidationException' });
  expect(applied(item, { add: { n: 1 } })['n']).toBe(Number.NaN);
  const increment = request(() => updateItem(item, { increment: { n: 2 } }, there));
  expect(await increment).toMatchObject({ n: 2 });
});

describe('an update', () => {
  const key = { pk: 'P', sk: 'S' };

  test('names exactly the attributes and values of its expressions', () => {
    const changes = { set: { role: 'x' }, increment: { n: 1 }, remove: ['name'] };
    expect(toUpdate(key, changes, where('#n = :was', { was: 3 }))).toEqual({
      TableName: process.env['TABLE_NAME'],
      Key: key,
      UpdateExpression:
        'SET #role = :set_role, #n = if_not_exists(#n, :zero) + :set_n REMOVE #name',
      ConditionExpression: '#n = :was',
      ExpressionAttributeNames: { '#role': 'role', '#n': 'n', '#name': 'name' },
      ExpressionAttributeValues: { ':set_role': 'x', ':set_n': 1, ':zero': 0, ':was': 3 },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    const removal = toUpdate(key, { remove: ['name'] }, there);
    expect(removal).toMatchObject({ UpdateExpression: 'REMOVE #name' });
    expect(removal).not.toHaveProperty('ExpressionAttributeValues');
  });

  test('that sets events without raising their count is refused, because the stream would publish none', () => {
    const events = [{ type: 'user.updated' }];
    expect(() => toUpdate(key, { set: { events } }, there)).toThrow('Events lack their count.');
    expect(toUpdate(key, { set: { events }, increment: { event_count: 1 } }, there)).toBeDefined();
  });
});

test('a put or delete asks for the old item if its condition fails, and has no such option without a condition', () => {
  const item: Item = { pk: 'P', sk: 'S' };
  const TableName = process.env['TABLE_NAME'];
  const condition = {
    ConditionExpression: 'attribute_exists(#pk)',
    ExpressionAttributeNames: { '#pk': 'pk' },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
  const conditional = toPut({ kind: 'put', item, condition: there });
  expect(toPut({ kind: 'put', item })).toEqual({ TableName, Item: item });
  expect(conditional).toEqual({ TableName, Item: item, ...condition });
  expect(toKeyed(item)).toEqual({ TableName, Key: item });
  expect(toKeyed(item, there)).toEqual({ TableName, Key: item, ...condition });
});

test('merged changes keep all changes; of two values for one attribute the later wins', () => {
  const one: Changes = { set: { a: 1, b: 1 }, increment: { event_count: 1 }, remove: ['x'] };
  const more: Changes = { setIfAbsent: { c: 3 }, add: { n: 1 } };
  const other: Changes = { ...more, set: { b: 2 }, increment: { m: 1 }, remove: ['y'] };
  expect(merged(one, other)).toEqual({
    ...more,
    set: { a: 1, b: 2 },
    increment: { event_count: 1, m: 1 },
    remove: ['x', 'y'],
  });
  expect(merged({})).toEqual({ set: {}, setIfAbsent: {}, add: {}, increment: {}, remove: [] });
});
