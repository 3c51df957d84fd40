import type { DynamoDBRecord } from 'aws-lambda';
import { inChunks } from '../db/batch-write.ts';
import { update, type Write } from '../db/change.ts';
import { keys } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { retryWhileStale } from '../db/retry-stale.ts';
import { transact } from '../db/transaction.ts';
import { countActivity, noCounts } from '../stats/count-events.ts';
import { countersWrites } from '../stats/counters.ts';
import { headUnchanged } from './append.ts';
import { getLogHead } from './log.ts';
import { type Renewal, renewalOf } from './renewals.ts';

/** Renewals of a transaction: each may write the head of another user, and another day. */
const maxRenewals = 25;

/**
 * Counts the users who renewed a session as active, each once a day, however many sessions they have and however often
 * a record comes: the head of the user's log remembers the day.
 */
export async function countRenewals(records: readonly DynamoDBRecord[]): Promise<void> {
  const renewals = records.flatMap((record) => renewalOf(record) ?? []);
  for (const [project_id, ofProject] of Map.groupBy(renewals, (each) => each.project_id))
    for (const some of inChunks(ofProject, maxRenewals))
      await retryWhileStale(() => countOfProject(project_id, some));
}

async function countOfProject(project_id: string, renewals: readonly Renewal[]): Promise<void> {
  const partitions = [...new Set(renewals.map(({ uid }) => keys.user(uid).pk))];
  const found = await Promise.all(partitions.map(getLogHead));
  // The start of a session is an event, so its user has a log; it expires after the user is deleted.
  const heads = new Map(found.flatMap((head, i) => (head ? [[partitions[i] ?? '', head]] : [])));
  const counts = noCounts();
  for (const [partition, { active_days }] of heads)
    if (active_days) counts.counted.set(partition, { active_days });
  for (const { uid, day } of renewals) {
    const { pk } = keys.user(uid);
    if (heads.has(pk)) countActivity(counts, pk, day);
  }
  if (counts.days.size === 0) return;
  const writes: Record<string, Write> = countersWrites(
    project_id,
    counts,
    'counted',
    currentRequest().now,
    partitions[0],
  );
  for (const [partition, head] of heads) {
    const active_days = counts.counted.get(partition)?.active_days;
    if (active_days !== head.active_days)
      writes[partition] = update(
        keys.logHead(partition),
        { set: { active_days } },
        headUnchanged(head),
      );
  }
  await transact(writes, { rereadOnConflict: true });
}
