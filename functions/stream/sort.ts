import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { sendMessages } from '#shared/events/queue-send.ts';
import { type QueueName, sortByProject } from '#shared/events/queue-sort.ts';
import { job } from '#shared/http/job.ts';
import { env } from '#shared/model/env.ts';

/**
 * Sorts stream records by project into the queues of the functions that process them, and drops those that need
 * nothing.
 */
export const handler = job(
  'stream.sort',
  { reserve: 2_000 },
  async (event: DynamoDBStreamEvent, { logError }): Promise<DynamoDBBatchResponse> => {
    const messages = sortByProject(event.Records, ({ dynamodb }) => {
      const { pk, sk } = dynamodb?.Keys ?? {};
      logError(new Error(`A change of ${pk?.S} ${sk?.S} is too large and was passed over.`));
    });
    try {
      await sendMessages(messages, urlOf);
      return { batchItemFailures: [] };
    } catch (cause) {
      logError(cause);
      // Retry from the first record: SQS deduplicates the messages that it already has.
      const itemIdentifier = event.Records[0]?.dynamodb?.SequenceNumber ?? '';
      return { batchItemFailures: [{ itemIdentifier }] };
    }
  },
);

const urlOf = (queue: QueueName): string =>
  queue === 'changes' ? env.changesQueueUrl() : env.mailsQueueUrl();
