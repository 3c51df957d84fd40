import { BatchWriteCommand, type BatchWriteCommandOutput } from '@aws-sdk/lib-dynamodb';
import { env } from '../model/env.ts';
import { pause, send } from './client.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

/** DynamoDB's limit of writes in one BatchWriteItem. */
const batchLimit = 25;

/** Puts and deletes items, each by itself and unconditionally: only for writes that may be repeated as a whole. */
export async function writeBatch(puts: readonly Item[], removals: readonly Key[]): Promise<void> {
  const requests = [
    ...puts.map((item) => ({ PutRequest: { Item: item } })),
    ...removals.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  ];
  await Promise.all(inChunks(requests, batchLimit).map(writeChunk));
}

type Requests = NonNullable<BatchWriteCommandOutput['UnprocessedItems']>[string];

async function writeChunk(chunk: Requests): Promise<void> {
  const TableName = env.tableName();
  let left: Requests | undefined = chunk;
  for (let attempt = 0; left; attempt += 1) {
    const { UnprocessedItems }: BatchWriteCommandOutput = await send(
      new BatchWriteCommand({ RequestItems: { [TableName]: left } }),
    );
    left = UnprocessedItems?.[TableName];
    if (left) await pause(attempt, new Error('BatchWriteItem left items unprocessed'));
  }
}

/** Splits a list into chunks of at most `size`, because DynamoDB limits the size of one call. */
export function inChunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
    all.slice(i * size, (i + 1) * size),
  );
}
