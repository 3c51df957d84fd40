import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { env } from '../model/env.ts';
import type { Changes, Write } from './change.ts';
import type { Condition } from './condition.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Put = NonNullable<TransactItem['Put']>;
type Delete = NonNullable<TransactItem['Delete']>;
type Update = NonNullable<TransactItem['Update']>;

/** Converts a write to an entry of TransactWriteItems. */
export function toTransactItem(write: Write): TransactItem {
  switch (write.kind) {
    case 'put':
      return { Put: toPut(write) };
    case 'update':
      return { Update: toUpdate(write.key, write.changes, write.condition) };
    case 'delete':
      return { Delete: toKeyed(write.key, write.condition) };
    case 'check':
      return {
        ConditionCheck: toKeyed(write.key, write.condition) as TransactItem['ConditionCheck'],
      };
  }
}

/** Converts a put, for PutItem or a transaction. */
export function toPut({ item, condition }: Write & { kind: 'put' }): Put & { Item: Item } {
  return {
    TableName: env.tableName(),
    Item: item,
    ...(condition && {
      ConditionExpression: condition.expression,
      ...placeholders([condition.expression], condition.values),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  };
}

/** Converts a key and condition, for DeleteItem or for a delete or condition check in a transaction. */
export function toKeyed(key: Key, condition?: Condition): Delete {
  return {
    TableName: env.tableName(),
    Key: key,
    ...(condition && {
      ConditionExpression: condition.expression,
      ...placeholders([condition.expression], condition.values),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  };
}

/** Converts an update, for UpdateItem or a transaction. */
export function toUpdate(key: Key, changes: Changes, condition: Condition): Update {
  const set = defined(changes.set);
  const once = defined(changes.setIfAbsent);
  const add = defined(changes.add);
  const count = defined(changes.increment);
  // The stream publishes as many events as the count grew by: without it they would be lost.
  if ('events' in set && !('event_count' in count)) throw new Error('Events lack their count.');
  const assignments = [
    ...Object.keys(set).map((name) => `#${name} = :set_${name}`),
    ...Object.keys(once).map((name) => `#${name} = if_not_exists(#${name}, :set_${name})`),
    // Not ADD, which would create a missing counter. If the item is missing, the condition has failed before.
    ...Object.keys(add).map((name) => `#${name} = #${name} + :set_${name}`),
    ...Object.keys(count).map((name) => `#${name} = if_not_exists(#${name}, :zero) + :set_${name}`),
  ];
  const removals = (changes.remove ?? []).map((name) => `#${name}`);
  const UpdateExpression = [
    ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
    ...(removals.length > 0 ? [`REMOVE ${removals.join(', ')}`] : []),
  ].join(' ');
  const assigned = Object.entries({ ...set, ...once, ...add, ...count });
  return {
    TableName: env.tableName(),
    Key: key,
    UpdateExpression,
    ConditionExpression: condition.expression,
    ...placeholders([UpdateExpression, condition.expression], {
      ...Object.fromEntries(assigned.map(([name, value]) => [`set_${name}`, value])),
      ...(Object.keys(count).length > 0 && { zero: 0 }),
      ...condition.values,
    }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

/**
 * Computes the item after an update, as DynamoDB would. Reliable only if the write requires that the item is unchanged.
 */
export function applied(item: Item, changes: Changes): Item {
  const { set, setIfAbsent: setOnce, add, increment: count, remove = [] } = changes;
  const sum = (of: Record<string, number> | undefined, initial?: number) =>
    Object.fromEntries(
      Object.entries(defined(of)).map(([name, more]) => [
        name,
        ((item[name] as number | undefined) ?? initial ?? Number.NaN) + more,
      ]),
    );
  const after: Item = {
    ...item,
    ...defined(set),
    ...Object.fromEntries(
      Object.entries(defined(setOnce)).filter(([name]) => item[name] === undefined),
    ),
    ...sum(add),
    ...sum(count, 0),
  };
  for (const name of remove) delete after[name];
  return after;
}

/** Aliases every attribute name, because DynamoDB reserves words such as `name` and `role`. */
function placeholders(expressions: string[], values: Record<string, unknown>) {
  const names = expressions.flatMap((expression) => expression.match(/#\w+/g) ?? []);
  const ExpressionAttributeValues = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`:${name}`, value]),
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

/** The parameters of a read that returns these attributes only. */
export const projectionOf = (attributes: readonly string[]) => ({
  ProjectionExpression: attributes.map((name) => `#${name}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
});
