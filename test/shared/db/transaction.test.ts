/** @module-tag engine */
import { beforeEach, describe, expect, test } from 'vitest';
import { getItem } from '#shared/db/batch-loader.ts';
import { assert, ConditionFailed, create, del, put, update } from '#shared/db/change.ts';
import { exists, where } from '#shared/db/condition.ts';
import { epochSeconds, type Item } from '#shared/db/item.ts';
import { StaleReadError } from '#shared/db/request-context.ts';
import {
  createItem,
  ifConditionHolds,
  removeItem,
  transact,
  updateItem,
} from '#shared/db/transaction.ts';
import { type Call, cancelled, exception, lostAnswers } from '../../faults/fault.ts';
import { atOnce } from '../../support/at-once.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();
let key: { pk: string; sk: string };
let count = 0;
const read = (of = key) => request(() => getItem(of));
const other = () => ({ pk: `${key.pk}x`, sk: 'other' });
const ended = (work: () => Promise<unknown>) =>
  request(work).then(
    () => 'done',
    (error: unknown) => error as ConditionFailed,
  );
const increment = (of = key) => update(of, { add: { version: 1 } }, exists);
const add = () => updateItem(key, { add: { version: 1 } }, where('#version >= :one', { one: 1 }));

beforeEach(async () => {
  count += 1;
  key = { pk: `P#${count}`, sk: 'S' };
  await request(() => createItem({ ...key, version: 1, name: 'a' }));
  faults.reset();
});

describe('a lost response', () => {
  const losses = Object.entries(lostAnswers);

  test.each(losses)('%s: an update adds once and returns the new item', async (_, fault) => {
    faults.inject(fault);
    expect(await request(add)).toMatchObject({ ...key, version: 2 });
    expect(await read()).toMatchObject({ version: 2 });
    expect(faults.calls).toHaveLength(3);
  });

  test.each(losses)('%s: an item is created; its retry does not fail on it', async (_, fault) => {
    faults.inject(fault);
    expect(await ended(() => createItem({ ...other(), by: 'us' }))).toBe('done');
    expect(await read(other())).toMatchObject({ by: 'us' });
  });

  test.each(losses)('%s: a transaction is applied once, under one token', async (_, fault) => {
    faults.inject(fault, { times: 2 });
    const writes = { added: increment(), made: create(other()) };
    expect(await ended(() => transact(writes))).toBe('done');
    expect(await read()).toMatchObject({ version: 2 });
    const tokens = faults.calls.slice(0, 3).map(({ body }) => body['ClientRequestToken']);
    expect(tokens[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(tokens).size).toBe(1);
  });

  test('of our create is not taken for a success if another request created the item', async () => {
    faults.inject(async ({ forward, body, response }) => {
      // Our write does not arrive; theirs does.
      await forward({ ...body, Item: { ...(body['Item'] as object), write_id: { S: 'theirs' } } });
      response.destroy();
    });
    const failure = await ended(() => createItem({ ...other(), by: 'us' }));
    expect(failure).toMatchObject({ failed: { item: { write_id: 'theirs' } } });
  });
});

describe('conditions', () => {
  test('a transaction does all or nothing, and returns each item whose condition failed', async () => {
    const failure = await ended(() =>
      transact({
        fine: put(other()),
        made: create(key),
        held: assert({ ...key, sk: 'nothing' }, exists),
        gone: del({ ...key, sk: 'gone' }, exists),
      }),
    );
    expect(failure).toBeInstanceOf(ConditionFailed);
    expect((failure as ConditionFailed).failed).toEqual({
      made: { ...key, version: 1, name: 'a', write_id: expect.any(String) },
      held: null,
      gone: null,
    });
    expect(await read(other())).toBeUndefined();
    expect(faults.calls).toHaveLength(2);
  });

  const first = expect.objectContaining({ version: 1 });
  const [nine, some] = [where('#version = :v', { v: 9 }), where('#n >= :n', { n: 0 })];
  test.each<[string, () => Promise<unknown>, Item | null]>([
    ['creating an item that exists', () => createItem(key), first],
    ['updating an item that is not as expected', () => updateItem(key, {}, nine), first],
    ['updating a missing item', () => updateItem(other(), {}, exists), null],
    ['replacing a missing item', () => createItem(other(), exists), null],
    ['adding to a missing item', () => updateItem(other(), { add: { n: 1 } }, some), null],
  ])('%s fails with the current item', async (_, work, item) => {
    const failure = await ended(work);
    expect(failure).toBeInstanceOf(ConditionFailed);
    expect((failure as ConditionFailed).failed).toEqual({ item });
  });

  test('a conflict is retried, or makes the caller read again', async () => {
    const conflict = cancelled('TransactionConflict');
    faults.inject(conflict, { times: 2 });
    const writes = { added: increment() };
    expect(await ended(() => transact(writes))).toBe('done');
    expect(faults.calls).toHaveLength(3);
    faults.inject(conflict);
    const rereading = (of: Parameters<typeof transact>[0]) =>
      ended(() => transact(of, { rereadOnConflict: true }));
    expect(await rereading(writes)).toBeInstanceOf(StaleReadError);
    // One of its items is enough.
    faults.inject(cancelled('None', 'TransactionConflict'));
    expect(await rereading({ made: create(other()), ...writes })).toBeInstanceOf(StaleReadError);
    expect(await read()).toMatchObject({ version: 2 });
    expect(await rereading({ it: create(key) })).toBeInstanceOf(ConditionFailed);
  });
});

test('changes: undefined is ignored, null is written, setIfAbsent keeps the first, reserved words work as names', async () => {
  const set = { name: undefined, role: 'admin', size: null, list: [{ a: undefined, b: 1 }] };
  const first = { set, setIfAbsent: { ttl: 1 }, add: { version: 5 } };
  await request(() => updateItem(key, first, exists));
  const second = { setIfAbsent: { ttl: 2 }, remove: ['size', 'absent'] };
  const item = { ...key, name: 'a', version: 6, role: 'admin', ttl: 1, list: [{ b: 1 }] };
  expect(await request(() => updateItem(key, second, exists))).toEqual({
    ...item,
    write_id: expect.any(String),
  });
});

describe("nothing is written before the caller's session is verified", () => {
  test.each<[string, () => Promise<unknown>]>([
    ['transact', () => transact({ removed: del(key) })],
    ['updateItem', add],
    ['createItem', () => createItem(other())],
  ])('%s', async (_, work) => {
    const dead = new Error('The session has ended');
    const writing = request((context) => {
      context.sessionVerified = new Promise((_resolve, reject) => setTimeout(reject, 30, dead));
      return work();
    });
    await expect(writing).rejects.toBe(dead);
    expect(faults.calls).toEqual([]);
  });
});

test('a hundred increments under random faults add a hundred', async () => {
  const { 'silence after it was done': _, ...storm } = lostAnswers;
  const addOnce = async (i: number) => {
    const mine = { pk: `${key.pk}#${i % 10}`, sk: `S${i}` };
    await request(() => createItem({ ...mine, version: 0 }), 20_000);
    await request(() => transact({ total: increment(), mine: increment(mine) }), 20_000);
    return (await request(() => getItem(mine), 20_000))?.['version'];
  };
  // A call has eight retries: random faults must not exhaust them.
  const met = new Map<string, number>();
  const when = ({ text }: Call) => {
    const times = met.get(text) ?? 0;
    if (times === 7 || Math.random() >= 0.3) return false;
    met.set(text, times + 1);
    return true;
  };
  for (const fault of Object.values(storm)) faults.inject(fault, { times: 15, when });
  // Ten at a time, because more would overload a busy machine.
  for (let from = 0; from < 100; from += 10)
    expect(await atOnce(10, (i) => addOnce(from + i))).toEqual(Array(10).fill(1));
  faults.reset();
  expect(await read()).toMatchObject({ version: 101 });
});

test('a removal can be repeated; one whose condition fails leaves the item', async () => {
  const failing = where('#version = :two', { two: 2 });
  const refused = await ended(() => removeItem(key, failing));
  expect(refused).toMatchObject({ failed: { item: { version: 1 } } });
  expect(await ended(() => removeItem(key, exists))).toBe('done');
  expect(await read()).toBeUndefined();
  expect(await ended(() => removeItem(key))).toBe('done');
});

test.each(Object.entries(lostAnswers))(
  'a conditional removal that was applied does not fail after %s, and one that was not does',
  async (_, fault) => {
    faults.inject(fault);
    const refused = await ended(() => removeItem(key, where('#version = :two', { two: 2 })));
    expect(refused).toMatchObject({ failed: { item: { version: 1 } } });
    faults.inject(fault);
    expect(await ended(() => removeItem(key, exists))).toBe('done');
    expect(await ended(() => removeItem(key, exists))).toMatchObject({ failed: { item: null } });
  },
);

test('ifConditionHolds says whether the condition held, and fails for any other error', async () => {
  expect(await request(() => ifConditionHolds(createItem(key)))).toBe(false);
  expect(await read()).toMatchObject({ version: 1 });
  expect(await request(() => ifConditionHolds(removeItem(key, exists)))).toBe(true);
  faults.inject(exception('ValidationException'));
  const failing = request(() => ifConditionHolds(removeItem(key)));
  await expect(failing).rejects.toMatchObject({ name: 'ValidationException' });
});

test('a failed condition says whether an earlier attempt may have been applied', async () => {
  const first = where('#version = :one', { one: 1 });
  const rename = () => ended(() => updateItem(key, { set: { name: 'b' } }, first));
  faults.inject(async ({ forward, response }) => {
    await forward();
    await faults.seed([{ ...key, version: 9 }]);
    response.destroy();
  });
  expect(await rename()).toMatchObject({ failed: { item: { version: 9 } }, outcomeUnknown: true });
  expect(await rename()).toMatchObject({ failed: { item: { version: 9 } }, outcomeUnknown: false });
});

test('a transaction cancelled for a permanent reason fails with that error', async () => {
  faults.inject(cancelled('ValidationError'));
  const failure = await ended(() => transact({ removed: del(key) }));
  expect(failure).toMatchObject({ name: 'TransactionCanceledException' });
});

test('times of expiry are whole seconds', () => {
  expect(epochSeconds(new Date(1_999))).toBe(1);
});
