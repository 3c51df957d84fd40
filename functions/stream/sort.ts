import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import { nameOf, type Sortable, setAside } from '#shared/events/dead-letter.ts';
import { isRefusedForGood, sendMessages } from '#shared/events/queue-send.ts';
import { continuationOf, type QueueName, sortByProject } from '#shared/events/queue-sort.ts';
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
  async ({ Records, continued }: Sortable, { logError }): Promise<DynamoDBBatchResponse> => {
    // From the dead letters of stream.consume: all else is done, and would be out of date.
    if (continued) {
      await sendMessages(Records.map(continuationOf), urlOf);
      return { batchItemFailures: [] };
    }
    const retryFrom = (record: DynamoDBRecord | undefined, cause: unknown) => {
      logError(cause);
      const itemIdentifier = record?.dynamodb?.SequenceNumber ?? '';
      return { batchItemFailures: [{ itemIdentifier }] };
    };
    try {
      await send(Records, logError);
    } catch (cause) {
      // What the queues have already comes again, which changes nothing: SQS deduplicates it.
      if (!isRefusedForGood(cause)) return retryFrom(Records[0], cause);
      for (const record of Records)
        try {
          await sendOrSetAside(record, logError);
        } catch (later) {
          return retryFrom(record, later);
        }
    }
    return { batchItemFailures: [] };
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
    await setAside({ Records: [record] }, { what: 'A change', cause }, logError);
  }
}

const urlOf = (queue: QueueName): string =>
  queue === 'changes' ? env.changesQueueUrl() : env.mailsQueueUrl();
