import type { SQSRecord } from 'aws-lambda';
import type { QueueName } from '../../shared/events/queue-sort.ts';

/** A message in a local queue. */
export type Message = {
  number: number;
  queue: QueueName;
  id: string;
  group: string;
  body: string;
  receives: number;
  receipt: string;
  /** Milliseconds before the retry, as set by the function that failed. */
  pause: number | undefined;
  /** Whether the function has deleted it. */
  deleted: boolean;
};

/** The message as Lambda's event source mapping passes it to a function. */
export function toRecord({
  id,
  receipt,
  body,
  queue,
  group,
  number,
  receives,
}: Message): SQSRecord {
  const now = `${Date.now()}`;
  return {
    messageId: id,
    receiptHandle: receipt,
    body,
    attributes: {
      ApproximateReceiveCount: `${receives}`,
      SentTimestamp: now,
      SenderId: 'local',
      ApproximateFirstReceiveTimestamp: now,
      SequenceNumber: `${number}`,
      MessageGroupId: group,
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:local:000000000000:${queue}.fifo`,
    awsRegion: 'local',
  };
}
