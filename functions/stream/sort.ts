import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { log } from '#shared/http/log.ts';
import { sendMessages } from '#shared/queues/send.ts';
import { sort } from '#shared/queues/sort.ts';
import { inRequest } from '#shared/request.ts';

const reserve = 2_000;

/** Sorts the records of the stream by project into the queues of those who work them off, and does nothing else. */
export async function handler(
  event: DynamoDBStreamEvent,
  lambda: Context,
): Promise<DynamoDBBatchResponse> {
  const budget = lambda.getRemainingTimeInMillis() - reserve;
  return inRequest(lambda.awsRequestId, budget, async ({ now }) => {
    const complain = (cause: unknown) =>
      log({
        level: 'error',
        operation: 'stream.sort',
        request_id: lambda.awsRequestId,
        duration_ms: Date.now() - now.getTime(),
        cause,
      });
    const messages = sort(event.Records, ({ dynamodb }) => {
      const { pk, sk } = dynamodb?.Keys ?? {};
      complain(new Error(`A change of ${pk?.S} ${sk?.S} is too large and was passed over.`));
    });
    try {
      await sendMessages(messages);
      return { batchItemFailures: [] };
    } catch (cause) {
      complain(cause);
      // From the first: what the queues have by now is the same message when it comes again.
      const itemIdentifier = event.Records[0]?.dynamodb?.SequenceNumber ?? '';
      return { batchItemFailures: [{ itemIdentifier }] };
    }
  });
}
