import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Changes } from './change.ts';
import { dynamodb } from './client.ts';
import type { Condition } from './condition.ts';
import { toUpdate } from './expressions.ts';
import type { Key } from './keys.ts';
import { currentRequest } from './request-context.ts';

/**
 * Updates an item beside the request. A single attempt, so that table problems delay the response by at most one
 * timeout, and nothing counts twice. An update that the table refuses is lost, and the response stands.
 */
export function updateInBackground(key: Key, changes: Changes, condition: Condition): void {
  const { signal, backgroundWork } = currentRequest();
  const update = new UpdateCommand(toUpdate(key, changes, condition));
  backgroundWork.push(dynamodb.send(update, { abortSignal: signal }).catch(() => {}));
}
