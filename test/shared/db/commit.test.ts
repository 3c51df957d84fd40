/** @module-tag engine */
import { beforeEach, describe, expect, test } from 'vitest';
import { getItem } from '#shared/db/batch-loader.ts';
import {
  type Change,
  change,
  changeItem,
  create,
  del,
  noChange,
  put,
  update,
} from '#shared/db/change.ts';
import { type AnswerRecord, commit } from '#shared/db/commit.ts';
import { where } from '#shared/db/condition.ts';
import type { Item } from '#shared/db/item.ts';
import { StaleReadError } from '#shared/db/request-context.ts';
import { ApiError } from '#shared/model/errors.ts';
import { cancelled, exception } from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

type Named = Item & { name: string; version: number };

const faults = await openFaultyTable();
let count = 0;
let key: { pk: string; sk: string };
let item: Named;
let claimKey: { pk: string; sk: string };
let claim: Item;
const isThere = where('attribute_exists(#pk)');
const other = () => ({ pk: `${key.pk}x`, sk: 'other' });
const read = (of = key) => request(() => getItem<Named>(of));
const taken = new ApiError('request_in_progress');

/** The stored record of a claimed request's response. */
const record = (): AnswerRecord<unknown> => ({
  write: async (answer) =>
    update(claimKey, { set: { answer } }, where('#claim = :ours', { ours: 1 })),
  taken: () => taken,
});
const recorded = async () => (await read(claimKey))?.['answer'];

const outcome = (decided: Change<unknown>, by?: AnswerRecord<unknown>) =>
  request(() => commit(decided, by).catch((error: unknown) => error));

beforeEach(async () => {
  count += 1;
  key = { pk: `P#${count}`, sk: 'S' };
  item = { ...key, name: 'a', version: 1 };
  claimKey = { pk: `CLAIM#${count}`, sk: 'S' };
  claim = { ...claimKey, claim: 1 };
  await faults.seed([item, claim]);
});

const rename = (name: string, condition = isThere) =>
  change({ item: update<Named>(key, { set: { name } }, condition) }, name);
const failing = where('#version = :two', { two: 2 });
const forbidden = new ApiError('forbidden', { reason: 'of this test' });
/** A change whose condition fails, with what becomes of it then. */
const refused = (then: () => ApiError | Change<string>) =>
  change({ it: del(key, failing) }, 'first', then);
const increment = (condition = isThere) =>
  changeItem<Named>(
    { key, changes: { add: { version: 1 } }, condition },
    () => getItem<Named>(key),
    (found) => new ApiError(found ? 'forbidden' : 'not_found', { reason: 'of this test' }),
  );

describe('a change', () => {
  test('writes nothing until it is committed, and then everything', async () => {
    const both = change({ it: put({ ...item, name: 'b' }), new: create(other()) }, 'done');
    expect((await read())?.name).toBe('a');
    expect(await outcome(both)).toBe('done');
    expect((await read())?.name).toBe('b');
    expect(await read(other())).toEqual(other());
  });

  test('of one update that is not read is refused by the name of its write', async () => {
    const renamed = change(
      { it: update<Named>(key, { set: { name: 'b' } }, failing) },
      0,
      ({ it }) => (it?.name === 'a' ? forbidden : undefined),
    );
    expect(await outcome(renamed)).toBe(forbidden);
  });

  test('leaves out writes that are undefined', () => {
    expect(Object.keys(change({ it: put(item), none: undefined }, 0).parts.writes)).toEqual(['it']);
  });

  test('without writes sends nothing', async () => {
    expect(await outcome(noChange('as it was'))).toBe('as it was');
    expect(faults.operations()).toEqual([]);
  });

  test('is stale if a condition fails and the change names no error for it', async () => {
    expect(await outcome(rename('b', failing))).toBeInstanceOf(StaleReadError);
    expect(await read()).toEqual(item);
  });

  test('retries on a conflict with another transaction, or makes its handler read again', async () => {
    const conflict = cancelled('TransactionConflict');
    const both = change({ it: put({ ...item, name: 'b' }), new: create(other()) }, 'done');
    faults.inject(conflict);
    expect(await outcome(both.rereadingOnConflict())).toBeInstanceOf(StaleReadError);
    faults.inject(conflict);
    expect(await outcome(both.rereadingOnConflict(), record())).toBeInstanceOf(StaleReadError);
    faults.inject(conflict);
    expect(await outcome(both)).toBe('done');
  });

  test('names the conditions that failed', async () => {
    const [one, two] = [put(item, failing), put(other(), failing)];
    const error = await outcome(change({ one, two }, ''));
    expect(error).toMatchObject({
      name: 'ConditionFailed',
      message: 'The condition failed of: one, two',
      failed: { one: item, two: null },
      outcomeUnknown: false,
    });
  });

  test('of one item with a condition is one call, half the price of a transaction', async () => {
    expect(await outcome(change({ new: create(other()) }, 'made'))).toBe('made');
    expect(faults.operations()).toEqual(['PutItem']);
    expect(await outcome(change({ new: create(other()) }, '', () => forbidden))).toBe(forbidden);
  });

  test('is refused with the error for the item whose condition failed', async () => {
    const deletion = change({ it: del<Named>(key, failing) }, 0, ({ it }) =>
      it?.version === 1 ? forbidden : undefined,
    );
    expect(await outcome(deletion)).toBe(forbidden);
  });

  test('can be replaced by another change when its condition fails', async () => {
    expect(await outcome(refused(() => rename('second')))).toBe('second');
    expect((await read())?.name).toBe('second');
  });

  test('shows, refuses and finishes a replacement like the change itself', async () => {
    const seen: string[] = [];
    const first = refused(() =>
      rename('second').afterwards(async () => seen.push((await getItem<Named>(key))?.name ?? '')),
    );
    expect(await outcome(first.as((name) => `${name}!`))).toBe('second!');
    expect(seen).toEqual(['second']);
    const renamed = refused(() => forbidden).ifRefused((failure) => rename(failure.code));
    expect(await outcome(renamed.as((name) => `${name}?`))).toBe('forbidden?');
  });

  test.each([
    ['of one update without a read', () => rename('b')],
    ['that creates one item', () => change({ new: create(other()) }, 'made')],
    ['that updates one item', () => increment()],
    ['that expects the item it writes', () => rename('b').expecting([item])],
    ['that is replaced by another', () => refused(() => rename('b'))],
    ['without writes', () => noChange('as it was')],
  ])('%s runs its following work once', async (_, decide) => {
    for (const by of [undefined, record()]) {
      await faults.seed([item, claim]);
      await request(() => change({ new: del(other()) }, 0));
      let runs = 0;
      const decided = (decide() as Change<unknown>).afterwards(async () => (runs += 1));
      await outcome(decided, by);
      expect(runs).toBe(1);
    }
  });

  test('that is refused runs no following work', async () => {
    const runs: string[] = [];
    const work = async () => runs.push('run');
    await outcome(rename('b', failing).afterwards(work));
    await outcome(change({ it: create(key) }, '').afterwards(work));
    await outcome(increment(failing).afterwards(work), record());
    expect(runs).toEqual([]);
  });

  test('that is committed runs its following work even if showing its result fails', async () => {
    let runs = 0;
    for (const decided of [rename('b'), increment()]) {
      const shown = decided.as(() => Promise.reject(forbidden));
      expect(await outcome(shown.afterwards(async () => (runs += 1)))).toBe(forbidden);
    }
    expect(runs).toBe(2);
  });

  test('that is stale does not run its handler of refusals', async () => {
    const stale = rename('b', failing).ifRefused(() => rename('c'));
    expect(await outcome(stale)).toBeInstanceOf(StaleReadError);
  });
});

describe('a change of one item', () => {
  test('without a record or an expectation is one call', async () => {
    expect(await outcome(increment())).toMatchObject({ name: 'a', version: 2 });
    expect(faults.operations()).toEqual(['UpdateItem']);
  });

  test('with a record is read first, and its write expects the item that was read', async () => {
    expect(await outcome(increment(), record())).toMatchObject({ name: 'a', version: 2 });
    expect(faults.operations()).toEqual(['GetItem', 'TransactWriteItems']);
    expect(await read()).toMatchObject({ version: 2 });
    expect(await recorded()).toMatchObject({ version: 2 });
  });

  test('is stale if another change comes between its read and its recorded write', async () => {
    faults.beforeWrite(() => faults.seed([{ ...item, name: 'another' }]));
    expect(await outcome(increment(), record())).toBeInstanceOf(StaleReadError);
    expect(await read()).toEqual({ ...item, name: 'another' });
  });

  test('that expects an item changes its write id, even if no attribute changes', async () => {
    const same = (seen: Item) =>
      changeItem<Named>({ key, changes: { set: { name: 'a' } }, condition: isThere }, () =>
        getItem<Named>(key),
      ).expecting([seen]);
    const seen = (await outcome(same(item))) as Named;
    expect(faults.operations()).toEqual(['TransactWriteItems']);
    expect(await outcome(same(seen))).toMatchObject({ name: 'a', version: 1 });
    expect(await outcome(same(seen))).toBeInstanceOf(StaleReadError);
  });

  const ways = [undefined, record];
  test.each(ways)('is refused in the same way with a record and without one', async (by) => {
    expect(await outcome(increment(failing), by?.())).toMatchObject({ code: 'forbidden' });
    await request(() => change({ it: del(key) }, 0));
    expect(await outcome(increment(), by?.())).toMatchObject({ code: 'not_found' });
    expect(await recorded()).toBeUndefined();
  });
});

describe('an expected item', () => {
  test('is checked with the write of another item, each of several', async () => {
    const beside = { ...key, sk: 'beside' };
    const second = { ...key, sk: 'second', name: 'b' };
    const make = () => change({ new: create(beside) }, 'made').expecting([item, second]);
    for (const changed of [item, second]) {
      await faults.seed([item, second]);
      await faults.seed([{ ...changed, name: 'changed' }]);
      expect(await outcome(make())).toBeInstanceOf(StaleReadError);
      expect(await read(beside)).toBeUndefined();
    }
    await faults.seed([item, second]);
    expect(await outcome(make())).toBe('made');
  });

  test('is stale if it is gone or changed beside a refused write; without that, the write is refused', async () => {
    const renamed = update(key, { set: { name: 'b' } }, isThere);
    const both = () => change({ it: renamed, new: create(claim) }, 0, () => taken);
    expect(await outcome(both().expecting([item]))).toBe(taken);
    await faults.seed([{ ...item, name: 'changed' }]);
    expect(await outcome(both().expecting([item]))).toBeInstanceOf(StaleReadError);
    await request(() => change({ it: del(key) }, 0));
    expect(await outcome(both().expecting([item]))).toBeInstanceOf(StaleReadError);
  });

  test.each([
    ['another value', { name: 'changed', version: 1 }],
    ['an attribute less', { version: 1 }],
  ])('makes the change stale, not refused, if it has %s', async (_, now) => {
    const renamed = change({ item: update(key, { set: { name: 'b' } }, failing) }, 0, () => taken);
    expect(await outcome(renamed.expecting([item]))).toBe(taken);
    await faults.seed([{ ...key, ...now }]);
    expect(await outcome(renamed.expecting([item]))).toBeInstanceOf(StaleReadError);
  });

  const lacking = { sk: 'lacking' };
  test.each([
    [
      'it has an attribute that it lacked',
      { name: 'here' },
      { ...lacking, name: 'here', version: undefined },
      { version: 1 },
    ],
    ['it is there and was not', undefined, lacking, {}],
  ])('makes the change stale if %s', async (_, before, seen, added) => {
    const at = { ...key, ...lacking };
    const make = () => change({ new: put(other()) }, 'made').expecting([{ ...key, ...seen }]);
    if (before) await faults.seed([{ ...at, ...before }]);
    expect(await outcome(make())).toBe('made');
    await faults.seed([{ ...at, ...before, ...added }]);
    expect(await outcome(make())).toBeInstanceOf(StaleReadError);
  });

  test('is also checked for a change that replaces it', async () => {
    const first = change({ new: create({ ...item }) }, 'first', () =>
      change({ new: create(other()) }, 'second'),
    );
    const seen = { ...key, sk: 'seen', name: 'seen' };
    expect(await outcome(first.expecting([seen]))).toBeInstanceOf(StaleReadError);
    expect(await read(other())).toBeUndefined();
  });
});

describe('the record of the response', () => {
  test('is written in the transaction of the change', async () => {
    expect(await outcome(rename('b'), record())).toBe('b');
    expect(faults.operations()).toEqual(['TransactWriteItems']);
    expect(await recorded()).toBe('b');
  });

  test('is written alone if nothing changes', async () => {
    expect(await outcome(noChange('same'), record())).toBe('same');
    expect(faults.operations()).toEqual(['UpdateItem']);
    expect(await recorded()).toBe('same');
  });

  test('is that of the replacing change', async () => {
    const first = refused(() => rename('second'));
    expect(await outcome(first, record())).toBe('second');
    expect(await recorded()).toBe('second');
  });

  test.each([
    ['a change', () => rename('b')],
    ['no change', () => noChange('same')],
  ])('of %s is refused if another request has taken the claim', async (_, decide) => {
    await faults.seed([{ ...claim, claim: 2 }]);
    expect(await outcome(decide(), record())).toBe(taken);
    expect(await read()).toEqual(item);
    expect(await recorded()).toBeUndefined();
  });

  test('without a change passes on an error of the table', async () => {
    faults.inject(exception('ValidationException'));
    const failed = await outcome(noChange('same'), record());
    expect(failed).toMatchObject({ name: 'ValidationException' });
  });

  test('that fails keeps the change from being written', async () => {
    const tooLarge = new ApiError('content_too_large');
    const by = { ...record(), write: () => Promise.reject(tooLarge) };
    expect(await outcome(rename('b'), by)).toBe(tooLarge);
    expect(await read()).toEqual(item);
  });
});
