import { ChangeMessageVisibilityCommand, DeleteMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { queues } from './queue-client.ts';
import { recordsOf } from './queue-sort.ts';

/** The longest delay in seconds before a failed message is received again. */
const maxWait = 90;

/** Milliseconds. No call here is needed: it only brings forward what happens without it. */
const callTime = 2_000;

/**
 * A group whose first message was received this often, which takes two minutes, fails the invocation, so that the
 * metric `Errors` shows it. Those behind it were received with it, without a failure of their own.
 */
const failsAfter = 8;

/**
 * Processes messages: those of one group together, groups in parallel. A message that is not completed is received
 * again, with those after it in its group.
 *
 * @param url of the queue of the messages
 * @param work processes the records of the messages of a group; returns how many messages, from the first, are
 * completed
 */
export async function takeMessages(
  url: string,
  { Records }: SQSEvent,
  work: (messages: DynamoDBRecord[][], group: string) => Promise<number>,
): Promise<SQSBatchResponse> {
  const thrown: unknown[] = [];
  const take = async (group: string, messages: SQSRecord[]): Promise<number> => {
    try {
      return await work(
        messages.map(({ body }) => recordsOf(body)),
        group,
      );
    } catch (error) {
      thrown.push(error);
      return 0;
    }
  };
  const groups = Map.groupBy(Records, groupOf);
  const ofGroups = [...groups].map(async ([group, messages]) => {
    const completed = await take(group, messages);
    const left = messages.slice(completed);
    // A group waits for no other that came with it, and nothing completed comes again if the invocation fails.
    if (groups.size > 1 || left.length > 0) await end(url, messages.slice(0, completed));
    await Promise.all(left.map((message) => comeAgain(url, message)));
    return left;
  });
  const leftOfGroups = await Promise.all(ofGroups);
  if (thrown.length > 0) throw thrown[0];
  if (leftOfGroups.some(([first]) => first && receivesOf(first) >= failsAfter))
    throw new Error(`A message came ${failsAfter} times or more and is not done.`);
  const left = leftOfGroups.flat();
  return { batchItemFailures: left.map(({ messageId: itemIdentifier }) => ({ itemIdentifier })) };
}

const groupOf = ({ attributes }: SQSRecord): string => attributes.MessageGroupId ?? '';

const receivesOf = ({ attributes }: SQSRecord): number =>
  Number(attributes.ApproximateReceiveCount);

/** Deletes messages, which Lambda does only after the invocation. If this call fails, Lambda still does. */
async function end(QueueUrl: string, messages: readonly SQSRecord[]): Promise<void> {
  if (messages.length === 0) return;
  const Entries = messages.map(({ receiptHandle: ReceiptHandle }, i) => ({
    Id: `${i}`,
    ReceiptHandle,
  }));
  const command = new DeleteMessageBatchCommand({ QueueUrl, Entries });
  await queues.send(command, { abortSignal: AbortSignal.timeout(callTime) }).catch(() => {});
}

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
  await queues.send(command, { abortSignal: AbortSignal.timeout(callTime) }).catch(() => {});
}
