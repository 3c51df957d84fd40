import { ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { queues } from './queue-client.ts';
import { recordsOf } from './queue-sort.ts';

/** Seconds after which what failed comes again, at most. */
const maxWait = 90;

/** What failed so often, for two minutes, fails the invocation too: the metric `Errors` tells of it. */
const failsAfter = 8;

/**
 * Works off messages: those of one group in their order, groups side by side. What is not done comes again, with what
 * is behind it in its group.
 * @param url of the queue that they are from.
 * @param work answers whether the records of a message are done.
 */
export async function takeMessages(
  url: string,
  { Records }: SQSEvent,
  work: (records: DynamoDBRecord[]) => Promise<boolean>,
): Promise<SQSBatchResponse> {
  const thrown: unknown[] = [];
  const take = async (message: SQSRecord): Promise<boolean> => {
    try {
      return await work(recordsOf(message.body));
    } catch (error) {
      thrown.push(error);
      return false;
    }
  };
  const groups = Map.groupBy(Records, ({ attributes }) => attributes.MessageGroupId);
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

const receivesOf = ({ attributes }: SQSRecord): number =>
  Number(attributes.ApproximateReceiveCount);

/** Else it would come when the time is over that a function may take. If this fails, it does. */
async function comeAgain(QueueUrl: string, message: SQSRecord): Promise<void> {
  const command = new ChangeMessageVisibilityCommand({
    QueueUrl,
    ReceiptHandle: message.receiptHandle,
    VisibilityTimeout: Math.min(maxWait, 2 ** (receivesOf(message) - 1)),
  });
  await queues.send(command, { abortSignal: AbortSignal.timeout(2_000) }).catch(() => {});
}
