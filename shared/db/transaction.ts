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
import { newWriteToken } from '../model/ids.ts';
import { type Changes, ConditionFailed, type Failed, type Write } from './change.ts';
import { isConflict, send } from './client.ts';
import { absent, type Condition, where } from './condition.ts';
import { toKeyed, toPut, toTransactItem, toUpdate } from './expressions.ts';
import { type Item, toItem } from './item.ts';
import type { Key } from './keys.ts';
import { currentRequest, StaleReadError } from './request-context.ts';

/**
 * Writes that are sent immediately, each safe to retry after a lost response. A request uses them only for writes that
 * must persist when it fails or is rerun, such as rate limits; all its other writes are a `Change`. None is sent before
 * the caller's session is verified.
 */

/**
 * Maximum number of writes of a transaction: DynamoDB allows 100, and one is reserved for the record of the response.
 */
export const maxWrites = 99;

/**
 * Writes a transaction once, however often its response is lost (ClientRequestToken). Throws `ConditionFailed` with the
 * failed writes by their names in `writes`.
 *
 * @param options.rereadOnConflict throws `StaleReadError` if another transaction is working on the same items, which
 * most likely does the same, so that the caller reads again
 */
export async function transact(
  writes: Record<string, Write>,
  { rereadOnConflict = false } = {},
): Promise<void> {
  const { sessionVerified } = currentRequest();
  await sessionVerified;
  const entries = Object.entries(writes);
  try {
    await send(
      new TransactWriteCommand({
        TransactItems: entries.map(([, write]) => toTransactItem(write)),
        ClientRequestToken: newWriteToken(),
      }),
      { repeatConflicts: !rereadOnConflict },
    );
  } catch (error) {
    if (rereadOnConflict && isConflict(error)) throw new StaleReadError();
    if (!(error instanceof TransactionCanceledException)) throw error;
    const failed: Failed = {};
    for (const [i, { Code, Item }] of (error.CancellationReasons ?? []).entries()) {
      const [name] = entries[i] ?? [];
      if (name !== undefined && Code === 'ConditionalCheckFailed')
        failed[name] = Item ? toItem(Item) : null;
    }
    throw Object.keys(failed).length > 0 ? new ConditionFailed(failed) : error;
  }
}

/**
 * Sends an update of one item, apart from any `Change`, and returns the new item. The write leaves its token in
 * `write_id`, so that its retry after a lost response is recognised: otherwise a conditional update would report its
 * own success as a failure, and an increment would add twice. Throws `ConditionFailed` with the item under `item`.
 */
export async function updateItem<T extends Item = Item>(
  key: Key,
  changes: Changes,
  condition: Condition,
): Promise<T> {
  await currentRequest().sessionVerified;
  const write_id = newWriteToken();
  const { Key, ...expressions } = toUpdate(
    key,
    { ...changes, set: { ...changes.set, write_id } },
    where(
      `(${condition.expression}) AND (attribute_not_exists(#write_id) OR #write_id <> :write_id)`,
      { ...condition.values, write_id },
    ),
  );
  let outcomeUnknown = false;
  try {
    const { Attributes } = await send<UpdateCommandOutput>(
      new UpdateCommand({ Key, ...expressions, ReturnValues: 'ALL_NEW' }),
      { onOutcomeUnknown: () => (outcomeUnknown = true) },
    );
    return (Attributes ?? {}) as T;
  } catch (error) {
    const old = conditionFailure(error);
    if (old?.['write_id'] === write_id) return old as T;
    throw new ConditionFailed({ item: old }, { outcomeUnknown });
  }
}

/**
 * Sends the deletion of one item, whether or not it exists, so a retry changes nothing. Throws `ConditionFailed`, but
 * not for an item that is gone after an attempt that may have deleted it.
 */
export async function removeItem(key: Key, condition?: Condition): Promise<void> {
  await currentRequest().sessionVerified;
  let outcomeUnknown = false;
  try {
    await send(new DeleteCommand(toKeyed(key, condition)), {
      onOutcomeUnknown: () => (outcomeUnknown = true),
    });
  } catch (error) {
    const old = conditionFailure(error);
    if (old !== null || !outcomeUnknown) throw new ConditionFailed({ item: old });
  }
}

/**
 * Sends the creation of one item and returns it; by default only if no item exists. Throws `ConditionFailed` with the
 * existing item under `item`. A retry of the same write is a success.
 */
export async function createItem(item: Item, free: Condition = absent): Promise<Item> {
  await currentRequest().sessionVerified;
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

/** Awaits a write. If its condition failed, returns what `instead` makes of that, or throws what it throws. */
export async function ifConditionFails<T, F>(
  write: Promise<T>,
  instead: (failed: Failed, error: ConditionFailed) => F | Promise<F>,
): Promise<T | F> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return instead(error.failed, error);
  }
}

/** Awaits a write. False if its condition failed: the change was made already or is no longer wanted. */
export const ifConditionHolds = (write: Promise<unknown>): Promise<boolean> =>
  ifConditionFails(
    write.then(() => true),
    () => false,
  );

function conditionFailure(error: unknown): Item | null {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  return error.Item ? toItem(error.Item) : null;
}
