import { isDeepStrictEqual } from 'node:util';
import type { ApiError } from '../model/errors.ts';
import { newWriteToken } from '../model/ids.ts';
import {
  assert,
  Change,
  ConditionFailed,
  type Failed,
  keyOf,
  type Parts,
  update,
  type Write,
} from './change.ts';
import { absent, and, type Condition, where } from './condition.ts';
import { applied } from './expressions.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import { StaleReadError } from './request-context.ts';
import { createItem, ifConditionFails, transact, updateItem } from './transaction.ts';

/** The record of the response, written in the transaction of the change. */
export type AnswerRecord<R> = {
  /** Creates the write of the record from the result and the other writes. Throws `content_too_large`. */
  write: (result: R, writes: Record<string, Write>) => Promise<Write>;
  /** The error if another request has taken over the claim. */
  taken: () => ApiError;
};

/** Name of the record among the writes of the transaction. */
const recordName = 'idempotency';

/**
 * Commits a change and returns its result. Writes, expected items and the record of the response are one transaction,
 * all or nothing. If conditions fail, the change decides the outcome (`instead`); without one, throws `StaleReadError`
 * and the handler runs again.
 */
export async function commit<R>(decided: Change<R>, record?: AnswerRecord<R>): Promise<R> {
  for (let change = decided; ; ) {
    try {
      return await sendOnce(change.parts, record);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (record && recordName in error.failed) throw record.taken();
      const next = await change.parts.instead(error);
      if (!(next instanceof Change)) throw next ?? error;
      change = next;
    }
  }
}

/**
 * Sends a change and runs the work after the commit. Without a record the result is computed last: if that fails, the
 * work is done all the same.
 */
async function sendOnce<R>(change: Parts<R>, record: AnswerRecord<R> | undefined): Promise<R> {
  if (!record) {
    const item = await sendAlone(change);
    await change.afterwards?.();
    return change.result(item);
  }
  const { writes, expected, item } = await readFirst(change);
  const result = await change.result(item);
  const recording = await record.write(result, writes);
  if (Object.keys(writes).length === 0) await recordAlone(recording);
  else await transactExpecting({ [recordName]: recording, ...writes }, expected, change);
  await change.afterwards?.();
  return result;
}

/** Sends a change without a record. Returns the item of a change that is a single update. */
async function sendAlone(change: Parts<unknown>): Promise<Item | undefined> {
  if (change.expected.length === 0) {
    const only = onlyWrite(change);
    // A single write costs half of a transaction.
    if (only?.kind === 'update' && change.read)
      return updateItem(only.key, only.changes, only.condition);
    if (only?.kind === 'put' && only.condition) {
      await createItem(only.item, only.condition);
      return undefined;
    }
  }
  const { writes, expected, item } = await readFirst(change);
  if (Object.keys(writes).length > 0) await transactExpecting(writes, expected, change);
  return item;
}

function onlyWrite({ writes }: Parts<unknown>): Write | undefined {
  const [write, ...others] = Object.values(writes);
  return others.length === 0 ? write : undefined;
}

/**
 * Turns a blind update of one item into a read and a conditional update: reads the item, computes the new one, and
 * requires that the item is unchanged.
 */
async function readFirst(
  change: Parts<unknown>,
): Promise<{ writes: Record<string, Write>; expected: readonly Item[]; item?: Item }> {
  const { writes, expected } = change;
  const only = onlyWrite(change);
  if (!change.read || only?.kind !== 'update') return { writes, expected };
  const { key, changes, condition } = only;
  const expectedItem = expected.find((item) => isAt(item, key));
  const item = expectedItem ?? (await change.read());
  if (!item) throw new ConditionFailed({ item: null });
  // An update that changes no visible attribute still creates a new version.
  const named = { ...changes, set: { ...changes.set, write_id: newWriteToken() } };
  return {
    writes: { item: update(key, named, condition) },
    expected: expectedItem ? expected : [...expected, item],
    item: applied(item, named),
  };
}

/**
 * Writes a transaction that requires the expected items to be unchanged. Throws `ConditionFailed`, or `StaleReadError`
 * if an expected item has changed.
 */
async function transactExpecting(
  writes: Record<string, Write>,
  expected: readonly Item[],
  options: { rereadOnConflict: boolean },
): Promise<void> {
  if (expected.length === 0) return transact(writes, options);
  const expectedAt = (key: Key) => expected.find((item) => isAt(item, key));
  const entries = Object.entries(writes);
  const own = entries.map(([name, write]): [string, Write] => {
    const was = expectedAt(keyOf(write));
    if (!was) return [name, write];
    return [name, { ...write, condition: and(itemUnchanged(was), write.condition) }];
  });
  const others = expected
    .filter((item) => !entries.some(([, write]) => isAt(item, keyOf(write))))
    .map((item, i): [string, Write] => {
      const { pk, sk } = item;
      return [`expected ${i}`, assert({ pk, sk }, itemUnchanged(item))];
    });
  try {
    await transact(Object.fromEntries([...own, ...others]), options);
  } catch (error) {
    if (error instanceof ConditionFailed && isStale(error.failed, own, expectedAt))
      throw new StaleReadError();
    throw error;
  }
}

/** Whether one of the failed conditions belongs to an expected item. */
function isStale(
  failed: Failed,
  own: readonly [string, Write][],
  expectedAt: (key: Key) => Item | undefined,
): boolean {
  return own.some(([name, write]) => {
    const now = failed[name];
    const was = expectedAt(keyOf(write));
    if (!was || now === undefined) return false;
    return (
      now === null ||
      attributesOf(was).some(([attribute, value]) => !isDeepStrictEqual(now[attribute], value))
    );
  });
}

/** Writes the record of a response without a change. Throws `ConditionFailed`. */
async function recordAlone(recording: Write): Promise<void> {
  if (recording.kind !== 'update') throw new Error('The record of a response must be an update.');
  const { key, changes, condition } = recording;
  await ifConditionFails(updateItem(key, changes, condition), ({ item = null }) => {
    throw new ConditionFailed({ [recordName]: item });
  });
}

const isAt = ({ pk, sk }: Key, key: Key): boolean => pk === key.pk && sk === key.sk;

const attributesOf = (item: Item): [string, unknown][] =>
  Object.entries(item).filter(([name]) => name !== 'pk' && name !== 'sk');

/**
 * Requires that every attribute of an item is unchanged since it was read, and that those which are undefined are still
 * lacking. A key alone stands for an item that was not there, and still must not be.
 */
function itemUnchanged(item: Item): Condition {
  const attributes = attributesOf(item);
  if (attributes.length === 0) return absent;
  const same = attributes.map(([name, value]) =>
    value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :was_${name}`,
  );
  return where(
    ['attribute_exists(#pk)', ...same].join(' AND '),
    Object.fromEntries(attributes.map(([name, value]) => [`was_${name}`, value])),
  );
}
