import { isDeepStrictEqual } from 'node:util';
import type { ApiError } from '../model/errors.ts';
import { newWriteToken } from '../model/ids.ts';
import {
  and,
  assert,
  Change,
  type Condition,
  ConditionFailed,
  type Failed,
  keyOf,
  update,
  type Write,
  where,
} from './change.ts';
import { applied } from './expressions.ts';
import type { Item } from './item.ts';
import { StaleReadError } from './request-context.ts';
import type { Key } from './schema.ts';
import { createItem, transact, updateItem } from './transaction.ts';

/** The record of the answer, which is written in the transaction of the change. */
export type AnswerRecord<R> = {
  /** The write of the record, given the result and what it is written with. Throws `content_too_large`. */
  write: (result: R, writes: Record<string, Write>) => Promise<Write>;
  /** What to throw where the request is somebody else's by now. */
  taken: () => ApiError;
};

/** The name of the record among the writes of a transaction. */
const recordName = 'idempotency';

/**
 * Commits a change and returns its result. The writes, what they expect and the record of the answer are one
 * transaction: there is all of it or nothing. Where conditions fail, the change says what it comes to (`instead`); throws
 * `StaleReadError` where that is nothing, and the handler is to run again.
 */
export async function commit<R>(decided: Change<R>, record?: AnswerRecord<R>): Promise<R> {
  for (let change = decided; ; ) {
    try {
      return await sendOnce(change, record);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (record && recordName in error.failed) throw record.taken();
      const next = await change.instead(error);
      if (!(next instanceof Change)) throw next ?? error;
      change = next;
    }
  }
}

async function sendOnce<R>(change: Change<R>, record: AnswerRecord<R> | undefined): Promise<R> {
  if (!record && change.expected.length === 0) {
    const only = onlyWrite(change);
    // A write of its own costs half of a transaction.
    if (only?.kind === 'update' && change.read)
      return change.result(await updateItem(only.key, only.changes, only.condition));
    if (only?.kind === 'put' && only.condition) {
      await createItem(only.item, only.condition);
      return change.result();
    }
  }
  const { writes, expected, item } = await readFirst(change);
  const changes = Object.keys(writes).length > 0;
  const { rereadOnConflict } = change;
  if (!record) {
    if (changes) await transactExpecting(writes, expected, { rereadOnConflict });
    await change.finish();
    return change.result(item);
  }
  const result = await change.result(item);
  const recording = await record.write(result, writes);
  const together = { [recordName]: recording, ...writes };
  if (changes) await transactExpecting(together, expected, { rereadOnConflict });
  else await recordAlone(recording);
  await change.finish();
  return result;
}

function onlyWrite({ writes }: Change<unknown>): Write | undefined {
  const [write, ...others] = Object.values(writes);
  return others.length === 0 ? write : undefined;
}

/** Of a change of one item that has not been read: the item after it, held to the item before it. */
async function readFirst<R>(
  change: Change<R>,
): Promise<{ writes: Record<string, Write>; expected: readonly Item[]; item?: Item }> {
  const { writes, expected } = change;
  const only = onlyWrite(change);
  if (!change.read || only?.kind !== 'update') return { writes, expected };
  const { key, changes, condition } = only;
  const known = expected.find((item) => isAt(item, key));
  const item = known ?? (await change.read());
  if (!item) throw new ConditionFailed({ item: null });
  // What changes nothing that shows is another version all the same.
  const named = { ...changes, set: { ...changes.set, write_id: newWriteToken() } };
  return {
    writes: { item: update(key, named, condition) },
    expected: known ? expected : [...expected, item],
    item: applied(item, named),
  };
}

/** Writes all or nothing, while each item is as it was read. Throws `ConditionFailed`, or `StaleReadError` where one is not. */
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
    const condition = write.condition
      ? and(write.condition, unchangedSince(was))
      : unchangedSince(was);
    return [name, { ...write, condition }];
  });
  const others = expected
    .filter((item) => !entries.some(([, write]) => isAt(item, keyOf(write))))
    .map((item, i): [string, Write] => {
      const { pk, sk } = item;
      return [`expected ${i}`, assert({ pk, sk }, unchangedSince(item))];
    });
  try {
    await transact(Object.fromEntries([...own, ...others]), options);
  } catch (error) {
    if (error instanceof ConditionFailed && isStale(error.failed, own, expectedAt))
      throw new StaleReadError();
    throw error;
  }
}

/** Whether an expected item is no longer as it was read, among those that failed. */
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

/** Writes the record of an answer that comes with no change. Throws `ConditionFailed`. */
async function recordAlone(recording: Write): Promise<void> {
  if (recording.kind !== 'update') throw new Error('The record of an answer is an update.');
  const { key, changes, condition } = recording;
  try {
    await updateItem(key, changes, condition);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new ConditionFailed({ [recordName]: error.failed['item'] ?? null });
  }
}

const isAt = ({ pk, sk }: Key, key: Key): boolean => pk === key.pk && sk === key.sk;

const attributesOf = (item: Item): [string, unknown][] =>
  Object.entries(item).filter(([name]) => name !== 'pk' && name !== 'sk');

/** Holds while an item is as it was read: each of its attributes. */
function unchangedSince(item: Item): Condition {
  const attributes = attributesOf(item);
  const same = attributes.map(([name]) => `#${name} = :was_${name}`);
  return where(
    ['attribute_exists(#pk)', ...same].join(' AND '),
    Object.fromEntries(attributes.map(([name, value]) => [`was_${name}`, value])),
  );
}
