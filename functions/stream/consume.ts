import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
} from 'aws-lambda';
import { recordEvents } from '#shared/feed/record.ts';
import { log } from '#shared/http/log.ts';
import { inRequest } from '#shared/request.ts';
import { followWorkspace } from '#shared/table/archive.ts';
import { refreshCopies, refreshNewCopy } from '#shared/table/copies.ts';
import { countOutExpired } from '#shared/table/invitations.ts';
import { refreshTerms } from '#shared/table/member-search.ts';
import { isRefusal } from '#shared/table/client.ts';
import { changeOf } from '#shared/table/stream.ts';
import { cleanUpUser, removeIfDeleted } from '#shared/table/user-cleanup.ts';

/** Kept back to answer: what is not done by then is reported as failed, and begun again where it stopped. */
const reserve = 5_000;

/** Records the events of the table's changes and does what follows from them. Every record may come twice and stop anywhere. */
export async function handler(
  event: DynamoDBStreamEvent,
  lambda: Context,
): Promise<DynamoDBBatchResponse> {
  const budget = lambda.getRemainingTimeInMillis() - reserve;
  return inRequest(lambda.awsRequestId, budget, async ({ now }) => {
    const complain = (cause: unknown) =>
      log({
        level: 'error',
        operation: 'stream.consume',
        request_id: lambda.awsRequestId,
        duration_ms: Date.now() - now.getTime(),
        cause,
      });
    // Of the whole batch, before anything that may take long: what follows from one change delays no event of another.
    const { recorded, cause: unrecorded } = await recordEvents(event.Records, complain);
    for (const [place, record] of event.Records.entries()) {
      try {
        if (place === recorded) throw unrecorded;
        await consume(record, now);
      } catch (cause) {
        // What was told is recorded by now: only what follows is given up, for who comes behind it is everybody.
        if (place !== recorded && isRefusal(cause)) {
          complain(passedOver(record, cause));
          continue;
        }
        complain(cause);
        // Lambda begins again at the lowest number that is reported: what comes behind must wait for it.
        return { batchItemFailures: [{ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' }] };
      }
    }
    return { batchItemFailures: [] };
  });
}

function passedOver({ dynamodb }: DynamoDBRecord, cause: unknown): Error {
  const { pk, sk } = dynamodb?.Keys ?? {};
  return new Error(`What follows from a change of ${pk?.S} ${sk?.S} was passed over.`, { cause });
}

async function consume(record: DynamoDBRecord, now: Date): Promise<void> {
  const change = changeOf(record);
  switch (change?.kind) {
    case 'user-changed':
      return refreshCopies(change.user);
    case 'user-deleted':
      return cleanUpUser(change.user, change.email);
    case 'member-changed':
      await refreshTerms(change.before, change.after);
      return change.added && change.after ? refreshNewCopy(change.after) : undefined;
    case 'invitation-added':
      return refreshNewCopy(change.invitation);
    case 'invitation-expired':
      return countOutExpired(change.invitation, now);
    case 'request-added':
      await removeIfDeleted(change.request);
      return;
    case 'workspace-deleted':
    case 'workspace-restored':
      return followWorkspace(change.workspace_id);
    case undefined:
  }
}
