import type { DynamoDBRecord, SQSEvent } from 'aws-lambda';
import { refreshNewProfile, refreshProfiles } from '#shared/accounts/refresh-profiles.ts';
import { completeUserDeletion, removeIfDeleted } from '#shared/accounts/user-deletion-job.ts';
import { inChunks } from '#shared/db/batch-write.ts';
import { isPermanent } from '#shared/db/client.ts';
import { takeMessages } from '#shared/events/queue-take.ts';
import { recordEvents } from '#shared/events/record.ts';
import { changeOf } from '#shared/events/table-changes.ts';
import { job } from '#shared/http/job.ts';
import { env } from '#shared/model/env.ts';
import { syncArchive } from '#shared/workspaces/archive.ts';
import { uncountExpired } from '#shared/workspaces/change-invitations.ts';
import { refreshTerms } from '#shared/workspaces/member-search.ts';

/** Changes of a message that are processed in parallel. Those of one partition keep their order. */
const sideBySide = 4;

/**
 * Records the events of table changes and processes what follows from them. Every record may be received twice, and
 * processing may stop anywhere.
 */
export const handler = job(
  'stream.consume',
  // Time to report the records that are not finished, which are then received again.
  { reserve: 5_000 },
  (event: SQSEvent, { request: { now }, logError }) =>
    takeMessages(env.changesQueueUrl(), event, (records) => consume(records, now, logError)),
);

/** Processes the records of a message. Returns true if all are finished. */
async function consume(
  records: readonly DynamoDBRecord[],
  now: Date,
  complain: (cause: unknown) => void,
): Promise<boolean> {
  // First the events of all records, so that slow processing of one change delays no event of another.
  const { recorded, cause: unrecorded } = await recordEvents(records, complain);
  const partitions = Map.groupBy(
    records.slice(0, recorded),
    ({ dynamodb }) => (dynamodb?.NewImage ?? dynamodb?.OldImage)?.['pk']?.S,
  );
  const failures: unknown[] = recorded < records.length ? [unrecorded] : [];
  for (const some of inChunks([...partitions.values()], sideBySide))
    await Promise.all(
      some.map((ofOne) =>
        followInOrder(ofOne, now, complain).catch((cause: unknown) => failures.push(cause)),
      ),
    );
  for (const failure of failures) complain(failure);
  return failures.length === 0;
}

async function followInOrder(
  records: readonly DynamoDBRecord[],
  now: Date,
  complain: (cause: unknown) => void,
): Promise<void> {
  for (const record of records)
    try {
      await follow(record, now);
    } catch (cause) {
      // Its events are already recorded. Only the processing is given up, because it would block the whole project.
      if (!isPermanent(cause)) throw cause;
      complain(passedOver(record, cause));
    }
}

function passedOver({ dynamodb }: DynamoDBRecord, cause: unknown): Error {
  const { pk, sk } = dynamodb?.Keys ?? {};
  return new Error(`What follows from a change of ${pk?.S} ${sk?.S} was passed over.`, { cause });
}

async function follow(record: DynamoDBRecord, now: Date): Promise<void> {
  const change = changeOf(record);
  switch (change?.kind) {
    case 'user-changed':
      return refreshProfiles(change.user);
    case 'user-deleted':
      return completeUserDeletion(change.user, change.email);
    case 'member-changed':
      await refreshTerms(change.before, change.after);
      return change.added && change.after ? refreshNewProfile(change.after) : undefined;
    case 'invitation-added':
      return refreshNewProfile(change.invitation);
    case 'invitation-expired':
      return uncountExpired(change.invitation, now);
    case 'request-added':
      await removeIfDeleted(change.request);
      return;
    case 'workspace-deleted':
    case 'workspace-restored':
      return syncArchive(change.workspace_id);
    case undefined:
  }
}
