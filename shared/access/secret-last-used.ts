import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { getItem } from '../db/batch-loader.ts';
import { dynamodb } from '../db/client.ts';
import type { Item } from '../db/item.ts';
import { currentRequest } from '../db/request-context.ts';
import { keys } from '../db/schema.ts';
import { env } from '../model/env.ts';

/** The day (UTC) on which a secret of a project was last used. */
export type SecretUse = Item & { day: string };

/** Secrets whose use this instance has recorded, or is recording, today. */
const written = { day: '', secrets: new Set<string>() };
const maxRemembered = 1_000;

/** The last use of a secret, or undefined if it was never used. */
export const getSecretUse = (projectId: string, secretId: string): Promise<SecretUse | undefined> =>
  getItem(keys.secretUse(projectId, secretId));

/**
 * Records in the background that the secret is used today: one write per day and instance. A failure is ignored, and
 * the next request tries again.
 */
export function recordSecretUse(projectId: string, secretId: string): void {
  const { now, backgroundWork } = currentRequest();
  const day = now.toISOString().slice(0, 10);
  const name = `${projectId} ${secretId}`;
  if (written.day === day && written.secrets.has(name)) return;
  if (written.day !== day || written.secrets.size >= maxRemembered) {
    written.day = day;
    written.secrets.clear();
  }
  written.secrets.add(name);
  backgroundWork.push(
    writeSecretUse(projectId, secretId, day).catch(() => written.secrets.delete(name)),
  );
}

/** A single attempt, so that table problems delay the response by at most one timeout. */
async function writeSecretUse(projectId: string, secretId: string, day: string): Promise<void> {
  const put = new PutCommand({
    TableName: env.tableName(),
    Item: { ...keys.secretUse(projectId, secretId), day },
    ConditionExpression: 'attribute_not_exists(pk) OR #day < :day',
    ExpressionAttributeNames: { '#day': 'day' },
    ExpressionAttributeValues: { ':day': day },
  });
  try {
    await dynamodb.send(put, { abortSignal: currentRequest().signal });
  } catch (error) {
    // Another instance recorded it first.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
