import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { env } from '../model/env.ts';
import { send } from './client.ts';
import type { Item } from './item.ts';
import { type IndexName, type Key, tableSchema } from './schema.ts';

/** A range of one partition: of the table (strongly consistent), or of an index (which may lag). */
export type Range = {
  partition: string;
  /** Prefix of the sort keys. */
  prefix: string;
  index?: IndexName;
  /** Maximum number of items; default: the whole range. */
  limit?: number;
  /** Key (for an index, also its index keys) after which to start; the item may have been deleted. */
  after?: Key;
  /** Descending order, from the last key. */
  newestFirst?: boolean;
  /** Only these attributes are returned; the read still costs the size of the whole items. */
  attributes?: readonly string[];
};

/**
 * Reads a range in key order. `more` is true if DynamoDB stopped at the limit, so more items may follow. Only bounded
 * ranges may omit `limit`.
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
