import { BatchWriteItemCommand, type BatchWriteItemCommandOutput } from '@aws-sdk/client-dynamodb';
import { env } from '../env.ts';
import { currentRequest } from '../request.ts';
import { chunksOf } from './chunks.ts';
import { pause, send } from './client.ts';
import { toAttributes } from './item.ts';
import { query } from './query.ts';
import { domainPrefix, type Key, keys, prefixes } from './shape.ts';

/** DynamoDB's limit of writes in one BatchWriteItem. */
const batchLimit = 25;
const pageSize = 200;

/**
 * Removes the members, invitations and domain items of a deleted workspace. May be interrupted and run again: what
 * is left is found again, and nothing can be added to a deleted workspace.
 */
export async function removeWorkspaceItems(workspace_id: string): Promise<void> {
  const partition = keys.workspace(workspace_id).pk;
  for (const prefix of [prefixes.accepted, prefixes.pending, domainPrefix]) {
    for (;;) {
      const { items, more } = await query({
        partition,
        prefix,
        limit: pageSize,
        attributes: ['pk', 'sk'],
      });
      await Promise.all(chunksOf(items, batchLimit).map(deleteBatch));
      if (!more) break;
    }
  }
}

async function deleteBatch(batch: Key[]): Promise<void> {
  const { deadline, signal } = currentRequest();
  const TableName = env.tableName();
  let request: BatchWriteItemCommandOutput['UnprocessedItems'] = {
    [TableName]: batch.map(({ pk, sk }) => ({ DeleteRequest: { Key: toAttributes({ pk, sk }) } })),
  };
  for (let attempt = 0; request; attempt += 1) {
    const answer: BatchWriteItemCommandOutput = await send(
      new BatchWriteItemCommand({ RequestItems: request }),
    );
    request = answer.UnprocessedItems?.[TableName] ? answer.UnprocessedItems : undefined;
    if (request)
      await pause(attempt, deadline, signal, new Error('BatchWriteItem left items unprocessed'));
  }
}
