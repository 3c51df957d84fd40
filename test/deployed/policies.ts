import { deepEqual, equal } from 'node:assert/strict';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Checks } from './checks.ts';
import type { Emulator } from './emulator.ts';
import { resourceLike } from './stack.ts';

/** The policies of the roles, by which the emulator evaluates every call of a function. */
export async function policies(
  checks: Checks,
  emulator: Emulator,
  TableName: string,
): Promise<void> {
  await checks.alone('every call that a function made was allowed to its role', async () => {
    const lines = (await emulator.log()).split('\n');
    // IAM has no such action: permission to delete a message includes several (Service Authorization Reference, SQS).
    const denied = lines.filter((line) => line.includes(' DENIED '));
    deepEqual(
      denied.filter((line) => !line.includes('"sqs:DeleteMessageBatch"')),
      [],
    );
  });
  await checks.alone('webhooks.deliver, taken over, writes no password', async () => {
    const deliver = await resourceLike('AWS::Lambda::Function', 'webhooksdeliver');
    const credentials = await emulator.credentialsOf(deliver);
    const Item = { pk: { S: 'USER#somebody' }, sk: { S: 'PASSWORD' } };
    const put = new PutItemCommand({ TableName, Item });
    const written = await new DynamoDBClient({ credentials }).send(put).then(
      () => 'written',
      (error: unknown) => (error as Error).name,
    );
    equal(written, 'AccessDeniedException');
  });
}
