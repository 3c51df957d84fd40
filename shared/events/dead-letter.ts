import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import { currentRequest } from '../db/request-context.ts';
import type { Job } from '../http/job.ts';
import { env } from '../model/env.ts';
import { escapedJson } from '../model/json-object.ts';
import { queues } from './queue-client.ts';
import { isRefusedForGood } from './queue-send.ts';

/** What `stream.sort` takes: records of the stream, or, `continued`, of which only the long work is left. */
export type Sortable = { Records: readonly DynamoDBRecord[]; continued?: true };

/**
 * Sets a record aside that can never be processed, for an operator, who gives it to `stream.sort` when the service can:
 * an alarm rings. Throws if that fails for now. One that is too large even for this is only logged.
 *
 * @param what the record is, for the log, such as `A change`
 */
export async function setAside(
  letter: Sortable,
  { what, cause }: { what: string; cause: unknown },
  logError: Job['logError'],
): Promise<void> {
  const name = letter.Records.map(nameOf).join(', ');
  const log = (then: string, because: unknown) =>
    logError(new Error(`${what} of ${name} ${then}.`, { cause: because }));
  log('is refused and is set aside', cause);
  try {
    await sendDeadLetter(letter);
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    log('is too large to be set aside and is passed over', error);
  }
}

/** The key of the item that has changed. */
export function nameOf({ dynamodb }: DynamoDBRecord): string {
  const { pk, sk } = dynamodb?.Keys ?? {};
  return `${pk?.S} ${sk?.S}`;
}

/** In ASCII, which SQS accepts in any case. */
async function sendDeadLetter(event: object): Promise<void> {
  const MessageBody = escapedJson(event, /[^\x20-\x7e]/g);
  const name = env.deadLettersArn().split(':').at(-1) ?? '';
  // All queues of the stack are in one account and region.
  const QueueUrl = env.changesQueueUrl().replace(/[^/]+$/, name);
  const command = new SendMessageCommand({ QueueUrl, MessageBody });
  await queues.send(command, { abortSignal: currentRequest().signal });
}
