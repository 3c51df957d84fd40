import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
  type UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { newWriteToken } from '../ids.ts';
import { currentRequest, StaleRead } from '../request.ts';
import { isAfterDoubt, isConflict, send } from './client.ts';
import {
  asItWas,
  currentRun,
  EffectRefused,
  forgetRefusals,
  heldItem,
  hold,
  holdsAnything,
  isAsItWas,
  meetRefusal,
  otherHeld,
  rememberRefusal,
} from './effect.ts';
import { applied, toKeyed, toPut, toTransactItem, toUpdate } from './expressions.ts';
import { type Item, toItem } from './item.ts';
import { getItem } from './read.ts';
import type { Key } from './shape.ts';

/** A condition: `#name` stands for the attribute of that name, `:name` for the value given under it. */
export type Condition = { expression: string; values: Record<string, unknown> };

/** `where('#version = :seen', { seen: 3 })` */
export const where = (expression: string, values: Record<string, unknown> = {}): Condition => ({
  expression,
  values,
});

/** What an update does to attributes. A value that is undefined is left alone. */
export type Changes = {
  set?: Record<string, unknown>;
  /** Sets an attribute only if the item has none. */
  setOnce?: Record<string, unknown>;
  add?: Record<string, number>;
  /** Adds to an attribute that may be missing, on an item that may be missing. */
  count?: Record<string, number>;
  /** Adds to an attribute that is missing where nobody counted from the beginning: it stays unknown, below zero. */
  tally?: Record<string, number>;
  remove?: readonly string[];
};

/** One write of a transaction. */
export type Write =
  | { kind: 'put'; item: Item; condition?: Condition }
  | { kind: 'update'; key: Key; changes: Changes; condition: Condition }
  | { kind: 'delete'; key: Key; condition?: Condition }
  | { kind: 'check'; key: Key; condition: Condition };

/** Both conditions. */
export const both = (a: Condition, b: Condition): Condition => ({
  expression: `(${a.expression}) AND (${b.expression})`,
  values: { ...a.values, ...b.values },
});

/** Writes an item that must not exist yet. */
export const create = (item: Item): Write => ({
  kind: 'put',
  item,
  condition: where('attribute_not_exists(#pk)'),
});
/** Writes an item whatever there was. */
export const put = (item: Item): Write => ({ kind: 'put', item });
/** Changes attributes of an item under a condition. */
export const update = (key: Key, changes: Changes, condition: Condition): Write => ({
  kind: 'update',
  key,
  changes,
  condition,
});
/** Deletes an item. */
export const remove = (key: Key, condition?: Condition): Write =>
  condition ? { kind: 'delete', key, condition } : { kind: 'delete', key };
/** Holds the rest of the transaction to a fact. */
export const check = (key: Key, condition: Condition): Write => ({ kind: 'check', key, condition });

/**
 * Conditions of a write failed. `failed` holds for each failing write the item as it was, or null if there was none.
 * Where no table function knows a better name for it, it is what it is: something that was read has changed.
 */
export class ConditionFailed<Name extends string = string> extends StaleRead {
  override readonly name = 'ConditionFailed';
  readonly failed: Partial<Record<Name, Item | null>>;
  /** Whether an earlier try may have taken effect, whose answer was lost, and something else came after it. */
  readonly mayBeDone: boolean;

  constructor(failed: Partial<Record<Name, Item | null>>, { mayBeDone = false } = {}) {
    super(`The condition failed of: ${Object.keys(failed).join(', ')}`);
    this.failed = failed;
    this.mayBeDone = mayBeDone;
  }
}

/** How many writes a transaction may have: DynamoDB takes 100, of which one is kept for the record of the answer. */
export const mostWrites = 99;

type TransactOptions = {
  /** Throws `StaleRead` where another transaction is at work on the same items: it most likely does the same. */
  rereadOnConflict?: boolean;
  /** It is no part of what the request is to do, or one of several: it is sent at once, whatever comes after it. */
  aside?: boolean;
};

/**
 * Writes all or nothing, once, however often the answer is lost on the way (ClientRequestToken).
 * Throws `ConditionFailed` with the writes by their names in `writes`, or `StaleRead`.
 * In a request whose answer is recorded it waits for that answer (`settleEffect`); a condition that fails then is thrown
 * here when the handler has run again.
 */
export async function transact<Name extends string>(
  writes: Partial<Record<Name, Write>>,
  { rereadOnConflict = false, aside = false }: TransactOptions = {},
): Promise<void> {
  await currentRequest().confirmed;
  const given = writes as Record<string, Write>;
  const run = currentRun();
  if (!run?.waits || aside) return commit(given, rereadOnConflict);
  meetRefusal(given);
  await settleEffect();
  run.waiting = { writes: given, rereadOnConflict };
}

/**
 * Sends the transaction that waits, together with what more belongs to it; false where none waits. Throws `EffectRefused`
 * where a condition of it failed, or `StaleRead`: the handler is to run again.
 */
export async function settleEffect(more: Record<string, Write> = {}): Promise<boolean> {
  const run = currentRun();
  const waiting = run?.waiting;
  if (!run || !waiting) return false;
  run.waiting = undefined;
  try {
    await commit({ ...more, ...waiting.writes }, waiting.rereadOnConflict);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (Object.keys(more).some((name) => name in error.failed)) throw error;
    rememberRefusal(waiting.writes, error);
    throw new EffectRefused();
  }
  // What was refused before it was of what this has changed.
  forgetRefusals(undefined);
  const later = run.later.splice(0);
  // What goes on after the effect has no answer to wait for.
  if (later.length > 0) run.waits = false;
  for (const work of later) await work();
  return true;
}

async function commit(writes: Record<string, Write>, rereadOnConflict: boolean): Promise<void> {
  const entries = withHeld(Object.entries(writes));
  try {
    await send(
      new TransactWriteCommand({
        TransactItems: entries.map(([, write]) => toTransactItem(write)),
        ClientRequestToken: newWriteToken(),
      }),
      { repeatConflicts: !rereadOnConflict },
    );
  } catch (error) {
    if (rereadOnConflict && isConflict(error)) throw new StaleRead();
    if (!(error instanceof TransactionCanceledException)) throw error;
    const failed: Record<string, Item | null> = {};
    for (const [i, reason] of (error.CancellationReasons ?? []).entries()) {
      const [name, write] = entries[i] ?? [];
      if (name === undefined || !write || reason.Code !== 'ConditionalCheckFailed') continue;
      const old = reason.Item ? toItem(reason.Item) : null;
      const was = heldItem(keyOf(write));
      if (was && !isAsItWas(was, old)) throw new StaleRead();
      failed[name] = old;
    }
    if (Object.keys(failed).length === 0) throw error;
    throw new ConditionFailed(failed);
  }
}

const keyOf = (write: Write): Key => (write.kind === 'put' ? write.item : write.key);

/** Adds the conditions that this run is held to. */
function withHeld(entries: [string, Write][]): [string, Write][] {
  if (!holdsAnything()) return entries;
  const checks = otherHeld(entries.map(([, write]) => keyOf(write))).map(
    (item, i): [string, Write] => [`held ${i}`, check(item, asItWas(item))],
  );
  const own = entries.map(([name, write]): [string, Write] => {
    const was = heldItem(keyOf(write));
    if (!was) return [name, write];
    const { condition } = write;
    return [
      name,
      { ...write, condition: condition ? both(condition, asItWas(was)) : asItWas(was) },
    ];
  });
  return [...own, ...checks];
}

/**
 * Changes one item, which is what the request is to do, and returns it as it is then. Throws `ConditionFailed` with the
 * item under `item`, or `StaleRead`.
 * @param read finds it for a write that waits, of which the caller goes on before the condition is asked.
 */
export async function changeItem(
  key: Key,
  changes: Changes,
  condition: Condition,
  read: () => Promise<Item | undefined> = () => getItem(key),
): Promise<Item> {
  if (!currentRun()?.waits && !holdsAnything()) return updateItem(key, changes, condition);
  const item = heldItem(key) ?? (await read());
  if (!item) throw new ConditionFailed({ item: null });
  hold(item);
  // What changes nothing that shows is another version all the same.
  const named = { ...changes, set: { ...changes.set, write_id: newWriteToken() } };
  await transact({ item: update(key, named, condition) });
  return applied(item, named);
}

/**
 * Updates one item and returns it as it is now. The write leaves its token in `write_id`, so that after a lost
 * answer its own repetition is recognised: a bare conditional update would report its own success as a failure,
 * and would add twice. Throws `ConditionFailed` with the item under `item`.
 */
export async function updateItem(key: Key, changes: Changes, condition: Condition): Promise<Item> {
  await currentRequest().confirmed;
  const write_id = newWriteToken();
  const { Key, ...expressions } = toUpdate(
    key,
    { ...changes, set: { ...changes.set, write_id } },
    where(
      `(${condition.expression}) AND (attribute_not_exists(#write_id) OR #write_id <> :write_id)`,
      { ...condition.values, write_id },
    ),
  );
  try {
    const { Attributes } = await send<UpdateCommandOutput>(
      new UpdateCommand({ Key, ...expressions, ReturnValues: 'ALL_NEW' }),
    );
    return (Attributes ?? {}) as Item;
  } catch (error) {
    const old = conditionFailure(error);
    if (old?.['write_id'] === write_id) return old;
    throw new ConditionFailed({ item: old }, { mayBeDone: isAfterDoubt(error as object) });
  }
}

/** Deletes one item, whether or not it is there: a repetition changes nothing. Throws `ConditionFailed`. */
export async function removeItem(key: Key, condition?: Condition): Promise<void> {
  await currentRequest().confirmed;
  try {
    await send(new DeleteCommand(toKeyed(key, condition)));
  } catch (error) {
    throw new ConditionFailed({ item: conditionFailure(error) });
  }
}

/**
 * Stores one item where the place is free, which is where there is none, and returns it. Throws `ConditionFailed` with
 * the one that is there under `item`. A repeat of itself is a success.
 */
export async function createItem(
  item: Item,
  free: Condition = where('attribute_not_exists(#pk)'),
): Promise<Item> {
  await currentRequest().confirmed;
  const stored = { ...item, write_id: newWriteToken() };
  const { Item, ...expressions } = toPut({ kind: 'put', item: stored, condition: free });
  try {
    await send(new PutCommand({ Item, ...expressions }));
  } catch (error) {
    const old = conditionFailure(error);
    if (old?.['write_id'] !== stored.write_id) throw new ConditionFailed({ item: old });
  }
  return stored;
}

/** Waits for a write whose condition may fail without harm: what it would have done is done, or is not wanted. */
export async function ifConditionHolds(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

function conditionFailure(error: unknown): Item | null {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  return error.Item ? toItem(error.Item) : null;
}
