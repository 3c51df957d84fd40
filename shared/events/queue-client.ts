import { SQSClient } from '@aws-sdk/client-sqs';

export const queues = new SQSClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
});
