import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { currentRequest } from '../db/request-context.ts';
import { env } from '../model/env.ts';
import { escapedJson } from '../model/json-object.ts';
import { queues } from './queue-client.ts';

/** Stores what a function cannot process, for an operator: an alarm rings. In ASCII, which SQS accepts in any case. */
export async function sendDeadLetter(event: object): Promise<void> {
  const MessageBody = escapedJson(event, /[^\x20-\x7e]/g);
  const name = env.deadLettersArn().split(':').at(-1) ?? '';
  // All queues of the stack are in one account and region.
  const QueueUrl = env.changesQueueUrl().replace(/[^/]+$/, name);
  const command = new SendMessageCommand({ QueueUrl, MessageBody });
  await queues.send(command, { abortSignal: currentRequest().signal });
}
