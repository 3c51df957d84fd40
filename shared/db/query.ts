import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { env } from '../model/env.ts';
import { send } from './client.ts';
import type { Item } from './item.ts';
import { type IndexName, type Key, tableSchema } from './schema.ts';

/** A range of one partition: of the table, read consistently, or of an index, which may lag. */
export type Range = {
  partition: string;
  /** Start of the sort keys. */
  prefix: string;
  index?: IndexName;
  /** At most this many items; all of the range where it is left out. */
  limit?: number;
  /** Key in the table, and of an index there too, after which to begin; the item may be gone meanwhile. */
  after?: Key;
  /** From the last key backwards. */
  newestFirst?: boolean;
  /** Only these attributes are sent; the read costs the whole items all the same. */
  attributes?: readonly string[];
};

/**
 * Reads a range in key order. `more` tells whether DynamoDB stopped at the limit: there may be items behind.
 * Only bounded ranges may leave out `limit`.
 */
export async function query<T = Item>(range: Range): Promise<{ items: T[]; more: boolean }> {
  const names = range.index ? tableSchema.indexes[range.index] : tableSchema;
  const items: T[] = [];
  let start: Record<string, unknown> | undefined = range.after;
  do {
    const Limit = range.limit === undefined ? undefined : range.limit - items.length;
    const answer: QueryCommandOutput = await send(
      new QueryCommand({
        TableName: env.tableName(),
        ...(range.index ? { IndexName: range.index } : { ConsistentRead: true }),
        KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :prefix)',
        ...(range.attributes && {
          ProjectionExpression: range.attributes.map((name) => `#${name}`).join(', '),
        }),
        ExpressionAttributeNames: {
          ...Object.fromEntries((range.attributes ?? []).map((name) => [`#${name}`, name])),
          '#pk': names.partitionKey,
          '#sk': names.sortKey,
        },
        ExpressionAttributeValues: { ':pk': range.partition, ':prefix': range.prefix },
        ...(range.newestFirst && { ScanIndexForward: false }),
        ...(Limit !== undefined && { Limit }),
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    for (const item of answer.Items ?? []) items.push(item as T);
    start = answer.LastEvaluatedKey;
  } while (start && (range.limit === undefined || items.length < range.limit));
  return { items, more: start !== undefined };
}
