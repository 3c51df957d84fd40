import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { getItem } from '../db/batch-loader.ts';
import { dynamodb } from '../db/client.ts';
import type { Item } from '../db/item.ts';
import { currentRequest } from '../db/request-context.ts';
import { keys } from '../db/schema.ts';
import { env } from '../model/env.ts';

/** On which day (UTC) a secret of a project was last used. */
export type SecretUse = Item & { day: string };

/** What this instance has written, or is writing, of the day. */
const written = { day: '', secrets: new Set<string>() };
const maxRemembered = 1_000;

/** The last use of a secret, or undefined where it was never used. */
export const getSecretUse = (projectId: string, secretId: string): Promise<SecretUse | undefined> =>
  getItem(keys.secretUse(projectId, secretId));

/**
 * Notes beside the request's own work that the secret is in use today. The table is told once a day and instance; a
 * failure is nobody's, and the next request tries again.
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

/** One try, so that a table in trouble delays no answer by more than one time-out. */
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
    // Another instance was first.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
