import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { getItem } from '../db/batch-loader.ts';
import { dynamodb } from '../db/client.ts';
import type { Item } from '../db/item.ts';
import { type Key, keys } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { env } from '../model/env.ts';

/** The day (UTC) on which a project secret or an API key was last used. */
export type LastUse = Item & { day: string };

/** What else stands at the item of a use. */
type Note = Record<string, unknown>;

/** Items that this instance has written, or is writing, today. */
const written = { day: '', items: new Set<string>() };
const maxRemembered = 1_000;

/** The last use of a project secret, or undefined if it was never used. */
export const getSecretUse = (projectId: string, secretId: string): Promise<LastUse | undefined> =>
  getItem(keys.secretUse(projectId, secretId));

/** Records that a project secret is used today, as `recordUse`. */
export const recordSecretUse = (projectId: string, secretId: string): void =>
  recordUse(keys.secretUse(projectId, secretId));

/**
 * Records in the background, at this item, that a credential is used today: one write per day and instance. A failure
 * is ignored, and the next request tries again. So the item is inserted by the first use, and exactly once while it is
 * there.
 */
export function recordUse(key: Key, note: Note = {}): void {
  const { now, backgroundWork } = currentRequest();
  const day = now.toISOString().slice(0, 10);
  const name = `${key.pk} ${key.sk}`;
  if (written.day === day && written.items.has(name)) return;
  if (written.day !== day || written.items.size >= maxRemembered) {
    written.day = day;
    written.items.clear();
  }
  written.items.add(name);
  backgroundWork.push(writeUse({ ...key, ...note, day }).catch(() => written.items.delete(name)));
}

/** A single attempt, so that table problems delay the response by at most one timeout. */
async function writeUse(item: LastUse): Promise<void> {
  const put = new PutCommand({
    TableName: env.tableName(),
    Item: item,
    ConditionExpression: 'attribute_not_exists(pk) OR #day < :day',
    ExpressionAttributeNames: { '#day': 'day' },
    ExpressionAttributeValues: { ':day': item.day },
  });
  try {
    await dynamodb.send(put, { abortSignal: currentRequest().signal });
  } catch (error) {
    // Another instance recorded it first.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
