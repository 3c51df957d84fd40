import { getItem } from '../db/batch-loader.ts';
import { update } from '../db/change.ts';
import { where } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { type Key, keys } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { retryWhileStale } from '../db/retry-stale.ts';
import { transact } from '../db/transaction.ts';
import { addDifference, noCounts, type Totals } from '../stats/count-events.ts';
import { countersWrites, type TotalsItem, totalsUpdate } from '../stats/counters.ts';
import { countedBefore, headUnchanged } from './append.ts';
import { getFeedHead, getLogHead } from './log.ts';
import { totalsOf } from './totals.ts';

/**
 * Counts what was there before a project was counted, while the service works: `beginRecount`, `recountItem` for every
 * user and workspace, `endRecount`. Each step may be interrupted and run again, by several at once.
 */

/** Begins to count the users, workspaces and members of a project, and returns what `endRecount` needs. */
export async function beginRecount(project_id: string): Promise<string> {
  const totals = keys.statsTotals(project_id);
  await retryWhileStale(async () => {
    const [feed, found] = await Promise.all([getFeedHead(project_id), getItem(totals)]);
    const before = countedBefore(feed);
    if (found && before !== 'uncounted') return;
    const { now } = currentRequest();
    const writes = countersWrites(project_id, noCounts(), 'uncounted', now);
    if (!feed) return transact(writes);
    const { position } = feed;
    const positionUnchanged = where('#position = :position', { position });
    const end = update(
      keys.feedHead(project_id),
      { set: { counted: position } },
      positionUnchanged,
    );
    await transact({ ...writes, end });
  });
  return String((await getItem<TotalsItem>(totals))?.counted_since);
}

/**
 * Counts one user or workspace if it is not counted, or was counted otherwise: what its log head remembers to be
 * counted always is, so the sum is exact whatever else writes it.
 */
export async function recountItem(key: Key): Promise<void> {
  await retryWhileStale(async () => {
    // The head first: what changes the item later changes the head later too, and then this write is refused.
    const head = await getLogHead(key.pk);
    const item = await getItem<Item & { project_id: string }>(key);
    const counted = item && totalsOf(item);
    if (!counted) return;
    const difference: Totals = {};
    addDifference(difference, head?.counted, counted);
    if (Object.keys(difference).length === 0) return;
    const { project_id } = item;
    // The head of a log without events, as every release begins it.
    const empty = { project_id, told: 0, number: 0, hash: '', recent: [] };
    await transact(
      {
        head: update(
          keys.logHead(key.pk),
          { set: { ...(!head && empty), counted } },
          headUnchanged(head),
        ),
        totals: totalsUpdate(project_id, difference, key.pk),
      },
      { rereadOnConflict: true },
    );
  });
}

/**
 * Marks the totals of a project as complete: every user and workspace was counted. Throws `ConditionFailed` if an older
 * release has recorded events meanwhile; then begin again.
 */
export async function endRecount(project_id: string, begun: string): Promise<void> {
  await transact({
    totals: update(
      keys.statsTotals(project_id),
      { set: { complete: true } },
      where('#counted_since = :begun', { begun }),
    ),
  });
}
