import type { DynamoDBRecord, SQSEvent } from 'aws-lambda';
import { refreshNewProfile, refreshProfiles } from '#shared/accounts/refresh-profiles.ts';
import { completeUserDeletion, removeIfDeleted } from '#shared/accounts/user-deletion-job.ts';
import { recordFirstUse } from '#shared/api-keys/first-use.ts';
import { inChunks } from '#shared/db/batch-write.ts';
import { isPermanent } from '#shared/db/client.ts';
import { prefixes } from '#shared/db/key-prefixes.ts';
import { runUntil } from '#shared/db/request-context.ts';
import { refreshDirectory } from '#shared/directory/refresh.ts';
import { countRenewals } from '#shared/events/count-renewals.ts';
import { nameOf, setAside } from '#shared/events/dead-letter.ts';
import { sendMessages } from '#shared/events/queue-send.ts';
import { continuationOf, isContinuation, recordKey } from '#shared/events/queue-sort.ts';
import { takeMessages } from '#shared/events/queue-take.ts';
import { recordEvents } from '#shared/events/record.ts';
import { changeOf, directoryChangeOf } from '#shared/events/table-changes.ts';
import { type Job, job } from '#shared/http/job.ts';
import { removeRecordedEvents } from '#shared/mail/mailboxes.ts';
import { env } from '#shared/model/env.ts';
import { syncArchive } from '#shared/workspaces/archive.ts';
import { uncountExpired } from '#shared/workspaces/invitations/end-invitations.ts';
import { refreshTerms } from '#shared/workspaces/members/member-search.ts';
import { notifyOfSecondFactor } from '#shared/workspaces/second-factor-mail.ts';

/** Partitions that are processed in parallel. Changes of one item keep their order. */
const sideBySide = 4;

/** Milliseconds for which long work may hold up its project; then it goes on in a message group of its own. */
const longWorkTime = 5_000;

/** An invocation, and whether its message continues the work of another one. */
type Invocation = Job & { continued: boolean };

/**
 * Records the events of table changes and processes what follows from them. Every record may be received twice, and
 * processing may stop anywhere.
 */
export const handler = job(
  'stream.consume',
  // Time to report the records that are not finished, which are then received again.
  { reserve: 5_000 },
  (event: SQSEvent, ours) =>
    takeMessages(env.changesQueueUrl(), event, (messages, group) =>
      consume(messages, { ...ours, continued: isContinuation(group) }),
    ),
);

/** A record that must be processed again, with those after it. */
type Unfinished = { record: DynamoDBRecord | undefined; cause: unknown };

/** Processes the messages of a group. Returns how many, from the first, are finished or continue later. */
async function consume(
  messages: readonly DynamoDBRecord[][],
  invocation: Invocation,
): Promise<number> {
  const { logError, continued } = invocation;
  const records = messages.flat();
  // First the events of all records, so that slow processing of one change delays no event of another.
  const { recorded, cause: unrecorded } = continued
    ? { recorded: records.length }
    : await recordEvents(records, logError);
  const unfinished: Unfinished[] = [];
  if (recorded < records.length) unfinished.push({ record: records[recorded], cause: unrecorded });
  if (!continued)
    await countRenewals(records).catch((cause: unknown) => {
      // A count that can never be written must not block the whole project.
      if (isPermanent(cause)) logError(cause);
      else unfinished.push({ record: records[0], cause });
    });
  const partitions = Map.groupBy(records.slice(0, recorded), (record) => recordKey(record).pk);
  for (const some of inChunks([...partitions.values()], sideBySide))
    unfinished.push(
      ...(
        await Promise.all(some.flatMap(lanesOf).map((lane) => followInOrder(lane, invocation)))
      ).flat(),
    );
  for (const { cause } of unfinished) logError(cause);
  const left = new Set(unfinished.map(({ record }) => record));
  const finished = messages.findIndex((message) => message.some((record) => left.has(record)));
  return finished === -1 ? messages.length : finished;
}

/**
 * Divides the changes of a partition. Each member is a lane, because what follows from its changes writes only what
 * belongs to it; all else is one lane, because some of it writes the workspace.
 */
const lanesOf = (ofPartition: readonly DynamoDBRecord[]): DynamoDBRecord[][] => [
  ...Map.groupBy(ofPartition, (record) => {
    const { sk } = recordKey(record);
    return sk.startsWith(prefixes.accepted) ? sk : '';
  }).values(),
];

/** Processes what follows from each record until one fails for now. Returns that one, if any. */
async function followInOrder(
  records: readonly DynamoDBRecord[],
  invocation: Invocation,
): Promise<Unfinished[]> {
  for (const record of records)
    try {
      await follow(record, invocation);
    } catch (cause) {
      // Its events are already recorded. Only the processing is given up, because it would block the whole project. It
      // is of no use later: it writes what the item was then.
      if (!isPermanent(cause)) return [{ record, cause }];
      const message = `What follows from a change of ${nameOf(record)} was passed over.`;
      invocation.logError(new Error(message, { cause }));
    }
  return [];
}

async function follow(record: DynamoDBRecord, invocation: Invocation): Promise<void> {
  const { before, after } = (!invocation.continued && directoryChangeOf(record)) || {};
  await refreshDirectory(before, after);
  const change = changeOf(record);
  if (!change) return;
  const { now } = invocation.request;
  // Work that grows with a workspace or a user. It reads the state of the table, so it may run late.
  const workOrLater = (longWork: () => Promise<void>): Promise<void> =>
    orSetAside(record, invocation, () =>
      invocation.continued ? longWork() : workOrContinueLater(record, longWork, invocation),
    );
  switch (change.kind) {
    case 'user-changed':
      return workOrLater(() => refreshProfiles(change.user));
    case 'user-deleted':
      return workOrLater(() => completeUserDeletion(change.user, change.email));
    case 'workspace-deleted':
    case 'workspace-restored':
      return workOrLater(() => syncArchive(change.workspace_id));
    case 'second-factor-required':
      return workOrLater(() => notifyOfSecondFactor(change));
    case 'member-changed':
      await refreshTerms(change.before, change.after);
      return change.added && change.after
        ? refreshNewProfile(change.after, change.before)
        : undefined;
    case 'invitation-added':
      return refreshNewProfile(change.invitation);
    case 'invitation-expired':
      return uncountExpired(change.invitation, now);
    case 'request-added':
      await removeIfDeleted(change.request);
      return;
    case 'key-first-used':
      return recordFirstUse(change.use, now);
    case 'mailbox-event-added':
      // The events of a record are recorded before what follows from it.
      return removeRecordedEvents(change.mailbox);
  }
}

/** Does long work, or sets it aside if DynamoDB can never accept what it writes: it would block the whole project. */
async function orSetAside(
  record: DynamoDBRecord,
  { logError }: Invocation,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (!isPermanent(cause)) throw cause;
    const what = 'What follows from a change';
    await setAside({ Records: [record], continued: true }, { what, cause }, logError);
  }
}

/**
 * Does long work for a short time; what is left, or failed, continues in another message group. The queue has that
 * message before this one counts as done.
 */
async function workOrContinueLater(
  record: DynamoDBRecord,
  longWork: () => Promise<void>,
  { logError }: Invocation,
): Promise<void> {
  try {
    if (await runUntil(longWorkTime, longWork)) return;
  } catch (cause) {
    if (isPermanent(cause)) throw cause;
    logError(cause);
  }
  await sendMessages([continuationOf(record)], env.changesQueueUrl);
}
