import type { SQSEvent } from 'aws-lambda';

type Record_ = { dynamodb?: { SequenceNumber?: string | undefined } | undefined };

/** Stream records as the queue delivers them: in one message, named after its first record. */
export const queued = (
  records: readonly Record_[],
  receives = 1,
  MessageGroupId = 'group',
): SQSEvent => ({
  Records: [
    {
      messageId: records[0]?.dynamodb?.SequenceNumber ?? '',
      receiptHandle: 'none',
      body: JSON.stringify(records),
      attributes: {
        ApproximateReceiveCount: `${receives}`,
        SentTimestamp: '0',
        SenderId: 'test',
        ApproximateFirstReceiveTimestamp: '0',
        MessageGroupId,
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:local:000000000000:queue.fifo',
      awsRegion: 'local',
    },
  ],
});
