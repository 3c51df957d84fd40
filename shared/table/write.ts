import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type ConditionCheck,
  type Delete,
  DeleteItemCommand,
  type Put,
  PutItemCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  type Update,
  UpdateItemCommand,
  type UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { env } from '../env.ts';
import { newWriteToken } from '../ids.ts';
import { currentRequest, StaleRead } from '../request.ts';
import { isConflict, send } from './client.ts';
import { type Item, toAttributes, toItem } from './item.ts';
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

/** What an unknown count begins with: whatever is added, it stays below zero, and a change of it shows. */
export const unknownCount = -1_000_000;

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

  constructor(failed: Partial<Record<Name, Item | null>>) {
    super(`The condition failed of: ${Object.keys(failed).join(', ')}`);
    this.failed = failed;
  }
}

/**
 * Writes all or nothing, once, however often the answer is lost on the way (ClientRequestToken).
 * Throws `ConditionFailed` with the writes by their names in `writes`; with `rereadOnConflict`, `StaleRead` where
 * another transaction is at work on the same items: worth it where that other one most likely does the same.
 */
export async function transact<Name extends string>(
  writes: Partial<Record<Name, Write>>,
  { rereadOnConflict = false } = {},
): Promise<void> {
  await currentRequest().confirmed;
  const entries = Object.entries(writes) as [Name, Write][];
  try {
    await send(
      new TransactWriteItemsCommand({
        TransactItems: entries.map(([, write]) => toTransactItem(write)),
        ClientRequestToken: newWriteToken(),
      }),
      { repeatConflicts: !rereadOnConflict },
    );
  } catch (error) {
    if (rereadOnConflict && isConflict(error)) throw new StaleRead();
    if (!(error instanceof TransactionCanceledException)) throw error;
    const failed: Partial<Record<Name, Item | null>> = {};
    for (const [i, reason] of (error.CancellationReasons ?? []).entries()) {
      const name = entries[i]?.[0];
      if (name !== undefined && reason.Code === 'ConditionalCheckFailed')
        failed[name] = reason.Item ? toItem(reason.Item) : null;
    }
    if (Object.keys(failed).length === 0) throw error;
    throw new ConditionFailed(failed);
  }
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
      {
        ...condition.values,
        write_id,
      },
    ),
  );
  try {
    const { Attributes } = await send<UpdateItemCommandOutput>(
      new UpdateItemCommand({ Key, ...expressions, ReturnValues: 'ALL_NEW' }),
    );
    return toItem(Attributes ?? {});
  } catch (error) {
    const old = conditionFailure(error);
    if (old?.['write_id'] === write_id) return old;
    throw new ConditionFailed({ item: old });
  }
}

/** Deletes one item, whether or not it is there: a repetition changes nothing. */
export async function removeItem(key: Key): Promise<void> {
  await currentRequest().confirmed;
  await send(new DeleteItemCommand(toKeyed(key)));
}

/** Creates one item, or throws `ConditionFailed` with the one that is there under `item`. A repeat of itself is a success. */
export async function createItem(item: Item): Promise<void> {
  await currentRequest().confirmed;
  const write_id = newWriteToken();
  const { Item, ...expressions } = toPut(create({ ...item, write_id }) as Write & { kind: 'put' });
  try {
    await send(new PutItemCommand({ Item, ...expressions }));
  } catch (error) {
    const old = conditionFailure(error);
    if (old?.['write_id'] !== write_id) throw new ConditionFailed({ item: old });
  }
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

function toTransactItem(write: Write): TransactWriteItem {
  switch (write.kind) {
    case 'put':
      return { Put: toPut(write) };
    case 'update':
      return { Update: toUpdate(write.key, write.changes, write.condition) };
    case 'delete':
      return { Delete: toKeyed(write.key, write.condition) };
    case 'check':
      return { ConditionCheck: toKeyed(write.key, write.condition) as ConditionCheck };
  }
}

function toPut({
  item,
  condition,
}: Write & { kind: 'put' }): Put & { Item: Record<string, AttributeValue> } {
  return {
    TableName: env.tableName(),
    Item: toAttributes(item),
    ...(condition && {
      ConditionExpression: condition.expression,
      ...placeholders([condition.expression], condition.values),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  };
}

function toKeyed(key: Key, condition?: Condition): Delete {
  return {
    TableName: env.tableName(),
    Key: toAttributes(key),
    ...(condition && {
      ConditionExpression: condition.expression,
      ...placeholders([condition.expression], condition.values),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  };
}

function toUpdate(key: Key, changes: Changes, condition: Condition): Update {
  const set = defined(changes.set);
  const once = defined(changes.setOnce);
  const add = defined(changes.add);
  const count = defined(changes.count);
  const tally = defined(changes.tally);
  const assignments = [
    ...Object.keys(set).map((name) => `#${name} = :set_${name}`),
    ...Object.keys(once).map((name) => `#${name} = if_not_exists(#${name}, :set_${name})`),
    // Not ADD: it would make a counter out of nothing; on a missing item the condition has failed before.
    ...Object.keys(add).map((name) => `#${name} = #${name} + :set_${name}`),
    ...Object.keys(count).map((name) => `#${name} = if_not_exists(#${name}, :zero) + :set_${name}`),
    ...Object.keys(tally).map(
      (name) => `#${name} = if_not_exists(#${name}, :unknown) + :set_${name}`,
    ),
  ];
  const removals = (changes.remove ?? []).map((name) => `#${name}`);
  const UpdateExpression = [
    ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
    ...(removals.length > 0 ? [`REMOVE ${removals.join(', ')}`] : []),
  ].join(' ');
  const assigned = Object.entries({ ...set, ...once, ...add, ...count, ...tally });
  return {
    TableName: env.tableName(),
    Key: toAttributes(key),
    UpdateExpression,
    ConditionExpression: condition.expression,
    ...placeholders([UpdateExpression, condition.expression], {
      ...Object.fromEntries(assigned.map(([name, value]) => [`set_${name}`, value])),
      ...(Object.keys(count).length > 0 && { zero: 0 }),
      ...(Object.keys(tally).length > 0 && { unknown: unknownCount }),
      ...condition.values,
    }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

/** Aliases every attribute name, because DynamoDB reserves words such as `name` and `role`. */
function placeholders(expressions: string[], values: Record<string, unknown>) {
  const names = expressions.flatMap((expression) => expression.match(/#\w+/g) ?? []);
  const ExpressionAttributeValues = toAttributes(
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
  );
  return {
    ...(names.length > 0 && {
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [name, name.slice(1)])),
    }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues }),
  };
}

function defined<T>(record: Record<string, T> | undefined): Record<string, NonNullable<T>> {
  return Object.fromEntries(
    Object.entries(record ?? {}).filter(([, value]) => value !== undefined),
  ) as Record<string, NonNullable<T>>;
}
