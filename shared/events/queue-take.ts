import { ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { queues } from './queue-client.ts';
import { recordsOf } from './queue-sort.ts';

/** The longest delay in seconds before a failed message is received again. */
const maxWait = 90;

/**
 * A message received this often, which takes two minutes, fails the invocation, so that the metric `Errors` shows it.
 */
const failsAfter = 8;

/**
 * Processes messages: those of one group in sequence, groups in parallel. A message that is not completed is received
 * again, with those after it in its group.
 *
 * @param url of the queue of the messages
 * @param work processes the records of a message of a group; returns false if they must be processed again
 */
export async function takeMessages(
  url: string,
  { Records }: SQSEvent,
  work: (records: DynamoDBRecord[], group: string) => Promise<boolean>,
): Promise<SQSBatchResponse> {
  const thrown: unknown[] = [];
  const take = async (message: SQSRecord): Promise<boolean> => {
    try {
      return await work(recordsOf(message.body), groupOf(message));
    } catch (error) {
      thrown.push(error);
      return false;
    }
  };
  const groups = Map.groupBy(Records, groupOf);
  const ofGroups = [...groups.values()].map(async (messages) => {
    for (const [place, message] of messages.entries())
      if (!(await take(message))) return messages.slice(place);
    return [];
  });
  const left = (await Promise.all(ofGroups)).flat();
  await Promise.all(left.map((message) => comeAgain(url, message)));
  if (thrown.length > 0) throw thrown[0];
  if (left.some((message) => receivesOf(message) >= failsAfter))
    throw new Error(`A message came ${failsAfter} times or more and is not done.`);
  return { batchItemFailures: left.map(({ messageId: itemIdentifier }) => ({ itemIdentifier })) };
}

const groupOf = ({ attributes }: SQSRecord): string => attributes.MessageGroupId ?? '';

const receivesOf = ({ attributes }: SQSRecord): number =>
  Number(attributes.ApproximateReceiveCount);

/**
 * Shortens the visibility timeout, which otherwise lasts as long as the function may run. If this call fails, the
 * message still returns after that.
 */
async function comeAgain(QueueUrl: string, message: SQSRecord): Promise<void> {
  const command = new ChangeMessageVisibilityCommand({
    QueueUrl,
    ReceiptHandle: message.receiptHandle,
    VisibilityTimeout: Math.min(maxWait, 2 ** (receivesOf(message) - 1)),
  });
  await queues.send(command, { abortSignal: AbortSignal.timeout(2_000) }).catch(() => {});
}
