import type { SQSEvent } from 'aws-lambda';

type Record_ = { dynamodb?: { SequenceNumber?: string | undefined } | undefined };

/** Records of the stream as a queue brings them: in one message, which has the name of its first record. */
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
