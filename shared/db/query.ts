import {
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { env } from '../model/env.ts';
import { send } from './client.ts';
import { projectionOf } from './expressions.ts';
import type { Item } from './item.ts';
import { type Key } from './keys.ts';
import { type IndexName, tableSchema } from './table-schema.ts';

/** A range of one partition: of the table (strongly consistent), or of an index (which may lag). */
export type Range = {
  partition: string;
  /**
   * Prefix of the sort keys. Not empty: no key is, so DynamoDB refuses to compare with it, and local engines may not.
   */
  prefix: string;
  index?: IndexName;
  /** Maximum number of items; default: the whole range. */
  limit?: number;
  /** Key (for an index, also its index keys) after which to start; the item may have been deleted. */
  after?: Key | undefined;
  /** Items to pass over first. They cost their units and a call, but DynamoDB only counts them. */
  skip?: number;
  /** Descending order, from the last key. */
  newestFirst?: boolean;
  /** Only these attributes are returned; the read still costs the size of the whole items. */
  attributes?: readonly string[];
};

type Start = Record<string, unknown> | undefined;

/**
 * Reads a range in key order. `more` is true if DynamoDB stopped at the limit, so more items may follow, after the key
 * `next`. Only bounded ranges may omit `limit`.
 */
export async function query<T = Item>(
  range: Range,
): Promise<{ items: T[]; more: boolean; next?: Key | undefined }> {
  const { partition, prefix, index, limit, skip = 0, attributes } = range;
  if (prefix === '') throw new Error(`No prefix of the keys of ${partition}.`);
  const names = index ? tableSchema.indexes[index] : tableSchema;
  const projection = attributes && projectionOf(attributes);
  const input = {
    TableName: env.tableName(),
    ...(index ? { IndexName: index } : { ConsistentRead: true }),
    // Selects what begins_with does. The local engine evaluates that for every item of the partition.
    KeyConditionExpression: '#partition = :pk AND #range BETWEEN :prefix AND :last',
    ExpressionAttributeValues: { ':pk': partition, ':prefix': prefix, ':last': prefix + lastText },
    ...(range.newestFirst && { ScanIndexForward: false }),
  };
  const keyNames = { '#partition': names.partitionKey, '#range': names.sortKey };

  /** Reads up to `max` items, page by page, and returns where the next would start. */
  async function readUpTo(
    max: number | undefined,
    after: Start,
    selection: Partial<QueryCommandInput>,
    take: (page: QueryCommandOutput) => number,
  ): Promise<Start> {
    let left = max;
    let start = after;
    do {
      const page: QueryCommandOutput = await send(
        new QueryCommand({
          ...input,
          ...selection,
          ...(left !== undefined && { Limit: left }),
          ...(start && { ExclusiveStartKey: start }),
        }),
      );
      const taken = take(page);
      if (left !== undefined) left -= taken;
      start = page.LastEvaluatedKey;
    } while (start && left !== 0);
    return start;
  }

  let start: Start = range.after;
  if (skip > 0) {
    const counted = { Select: 'COUNT', ExpressionAttributeNames: keyNames } as const;
    start = await readUpTo(skip, start, counted, ({ Count = 0 }) => Count);
    if (!start) return { items: [], more: false };
  }
  const items: T[] = [];
  const selection = {
    ...projection,
    ExpressionAttributeNames: { ...projection?.ExpressionAttributeNames, ...keyNames },
  };
  start = await readUpTo(limit, start, selection, ({ Items = [] }) => {
    for (const item of Items) items.push(item as T);
    return Items.length;
  });
  return { items, more: start !== undefined, next: start as Key | undefined };
}

/** Reads a range page by page, in key order; each has at most `limit` items, and is read when it is asked for. */
export async function* queryPages<T = Item>(range: Range & { limit: number }): AsyncGenerator<T[]> {
  let { after } = range;
  do {
    const { items, next } = await query<T>({ ...range, after });
    yield items;
    after = next;
  } while (after);
}

/** Sorts after every text that is a name, an id or an e-mail. */
const lastText = '\u{10ffff}';
