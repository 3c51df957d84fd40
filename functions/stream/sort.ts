import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { sendDeadLetter } from '#shared/events/dead-letter.ts';
import { isRefusedForGood, sendMessages } from '#shared/events/queue-send.ts';
import { type QueueName, sortByProject } from '#shared/events/queue-sort.ts';
import { type Job, job } from '#shared/http/job.ts';
import { env } from '#shared/model/env.ts';

/**
 * Sorts stream records by project into the queues of the functions that process them, and drops those that need
 * nothing. A record that its queue can never accept is set aside as a dead letter: it would stop the records of all
 * projects behind it.
 */
export const handler = job(
  'stream.sort',
  { reserve: 2_000 },
  async ({ Records }: DynamoDBStreamEvent, { logError }): Promise<DynamoDBBatchResponse> => {
    let [reached] = Records;
    try {
      await send(Records, logError).catch(async (cause: unknown) => {
        if (!isRefusedForGood(cause)) throw cause;
        // One of them is refused. What the queues have already comes again, which changes nothing.
        for (reached of Records) await sendOrSetAside(reached, logError);
      });
      return { batchItemFailures: [] };
    } catch (cause) {
      logError(cause);
      // Retry from here, or from the first record: SQS deduplicates the messages that it already has.
      const itemIdentifier = reached?.dynamodb?.SequenceNumber ?? '';
      return { batchItemFailures: [{ itemIdentifier }] };
    }
  },
);

function send(records: readonly DynamoDBRecord[], logError: Job['logError']): Promise<void> {
  const messages = sortByProject(records, (record) =>
    logError(new Error(`A change of ${nameOf(record)} is too large and was passed over.`)),
  );
  return sendMessages(messages, urlOf);
}

async function sendOrSetAside(record: DynamoDBRecord, logError: Job['logError']): Promise<void> {
  try {
    await send([record], logError);
  } catch (cause) {
    if (!isRefusedForGood(cause)) throw cause;
    logError(new Error(`A change of ${nameOf(record)} is refused and was set aside.`, { cause }));
    await sendDeadLetter({ Records: [record] });
  }
}

function nameOf({ dynamodb }: DynamoDBRecord): string {
  const { pk, sk } = dynamodb?.Keys ?? {};
  return `${pk?.S} ${sk?.S}`;
}

const urlOf = (queue: QueueName): string =>
  queue === 'changes' ? env.changesQueueUrl() : env.mailsQueueUrl();
