import { type Changes, update, type Write } from '../db/change.ts';
import { where } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { statsPrefix } from '../db/key-prefixes.ts';
import { keys } from '../db/keys.ts';
import { query } from '../db/query.ts';
import { lifetimes } from '../model/limits.ts';
import type { Counts, DayCounts, Totals } from './count-events.ts';
import { beginOf, dayBefore } from './days.ts';
import { partOf, statisticsParts } from './parts.ts';

/** The totals of a project, and since when it is counted. */
export type ProjectTotals = Totals & {
  /** Everything since then is counted. */
  counted_since: string;
  /** Set if also everything from before is in the totals. */
  complete?: true;
};
export type TotalsItem = Item & ProjectTotals;

/** The counters of a project for a day, of all parts. */
export type Day = { day: string; counts: DayCounts };

/**
 * Whether everything before was counted: `nothing`, if there was nothing; `uncounted`, if an older release recorded it.
 */
export type Before = 'counted' | 'nothing' | 'uncounted';

/**
 * The writes that add counts to the counters of a project, one for the totals and one for each day, however many events
 * they count. Exactly once, if they are in the transaction that records the events.
 *
 * @param partition of a log that the transaction changes: it picks the part, so that transactions of different logs
 * seldom meet in an item
 */
export function countersWrites(
  project_id: string,
  { totals, days }: Pick<Counts, 'totals' | 'days'>,
  before: Before,
  now: Date,
  partition = project_id,
): Record<string, Write> {
  const part = partOf(partition);
  const writes: Record<string, Write> = {};
  if (before !== 'counted')
    writes['totals'] = update(
      keys.statsTotals(project_id),
      { ...beginning(before, now.toISOString()), increment: totals },
      always,
    );
  else if (Object.keys(totals).length > 0)
    writes['totals'] = totalsUpdate(project_id, totals, partition);
  for (const [day, counts] of days)
    writes[`day ${day}`] = update(
      keys.statsDay(project_id, day, part),
      { increment: counts, set: { expires_at: expiryOf(day) } },
      always,
    );
  return writes;
}

/** Adds to the totals of a project, in the part that the partition of a log picks. */
export const totalsUpdate = (project_id: string, totals: Totals, partition: string): Write =>
  update(keys.statsTotals(project_id, partOf(partition)), { increment: totals }, always);

/** When the counters of a day expire, in epoch seconds. */
export const expiryOf = (day: string): number => beginOf(day) + lifetimes.statistics;

function beginning(before: Before, counted_since: string): Changes {
  return before === 'nothing'
    ? { setIfAbsent: { counted_since, complete: true } }
    : { set: { counted_since }, remove: ['complete'] };
}

/** Holds for every item, also for none. */
export const always = where('attribute_exists(#pk) OR attribute_not_exists(#pk)');

/**
 * The totals of a project, and its counters from a day on, oldest first; days on which nothing was counted are missing.
 */
export async function readCounters(
  project_id: string,
  first: string,
): Promise<{ totals: ProjectTotals | undefined; days: Day[] }> {
  const { items } = await query({
    partition: keys.statsTotals(project_id).pk,
    prefix: statsPrefix,
    // Behind all parts of that day: no part has so high a number.
    after: keys.statsFailures(project_id, dayBefore(first), statisticsParts),
  });
  const days = new Map<string, DayCounts>();
  let totals: ProjectTotals | undefined;
  const sum: Totals = {};
  for (const { pk: _, sk, expires_at: __, ...attributes } of items) {
    const [day = ''] = sk.slice(statsPrefix.length).split('#');
    if (`${statsPrefix}${day}` !== keys.statsTotals(project_id).sk) {
      days.set(day, addCounts(days.get(day) ?? {}, attributes));
      continue;
    }
    addCounts(sum, attributes);
    if (attributes['counted_since'] !== undefined) totals = attributes as ProjectTotals;
  }
  return {
    totals: totals && { ...totals, ...sum },
    days: [...days].map(([day, counts]) => ({ day, counts })),
  };
}

/** Adds the counters among some attributes. */
function addCounts(counts: DayCounts, attributes: Record<string, unknown>): DayCounts {
  for (const [name, count] of Object.entries(attributes))
    if (typeof count === 'number') counts[name] = (counts[name] ?? 0) + count;
  return counts;
}
