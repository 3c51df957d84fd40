import { type Changes, update, type Write } from '../db/change.ts';
import { where } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { query } from '../db/query.ts';
import { type Key, keys, statsPrefix } from '../db/schema.ts';
import { lifetimes } from '../model/limits.ts';
import type { Counts, DayCounts, Totals } from './count-events.ts';
import { beginOf, dayBefore } from './days.ts';

/** The totals of a project, and since when it is counted. */
export type TotalsItem = Item &
  Totals & {
    /** Everything since then is counted. */
    counted_since: string;
    /** Set if also everything from before is in the totals. */
    complete?: true;
  };

/** The counters of a project for a day. */
export type DayItem = Key & { day: string; counts: DayCounts };

/** Whether everything before was counted: `nothing`, if there was nothing; `uncounted`, if an older release recorded it. */
export type Before = 'counted' | 'nothing' | 'uncounted';

/**
 * The writes that add counts to the counters of a project, one for the totals and one for each day, however many events
 * they count. Exactly once, if they are in the transaction that records the events.
 */
export function countersWrites(
  project_id: string,
  { totals, days }: Pick<Counts, 'totals' | 'days'>,
  before: Before,
  now: Date,
): Record<string, Write> {
  const writes: Record<string, Write> = {};
  if (Object.keys(totals).length > 0 || before !== 'counted')
    writes['totals'] = totalsUpdate(project_id, totals, beginning(before, now.toISOString()));
  for (const [day, counts] of days)
    writes[`day ${day}`] = update(
      keys.statsDay(project_id, day),
      { increment: counts, set: { expires_at: beginOf(day) + lifetimes.statistics } },
      always,
    );
  return writes;
}

/** Adds to the totals of a project. */
export const totalsUpdate = (project_id: string, totals: Totals, changes: Changes = {}): Write =>
  update(keys.statsTotals(project_id), { ...changes, increment: totals }, always);

function beginning(before: Before, counted_since: string): Changes {
  if (before === 'nothing') return { setIfAbsent: { counted_since, complete: true } };
  return before === 'counted' ? {} : { set: { counted_since }, remove: ['complete'] };
}

const always = where('attribute_exists(#pk) OR attribute_not_exists(#pk)');

/** The totals of a project, and its counters from a day on, oldest first; days on which nothing was counted are missing. */
export async function readCounters(
  project_id: string,
  first: string,
): Promise<{ totals: TotalsItem | undefined; days: DayItem[] }> {
  const { items } = await query({
    partition: keys.statsTotals(project_id).pk,
    prefix: statsPrefix,
    after: keys.statsDay(project_id, dayBefore(first)),
  });
  const totals = keys.statsTotals(project_id).sk;
  return {
    totals: items.find(({ sk }) => sk === totals) as TotalsItem | undefined,
    days: items.filter(({ sk }) => sk !== totals).map((item) => toDay(item)),
  };
}

function toDay({ pk, sk, ...rest }: Item): DayItem {
  return { pk, sk, day: sk.slice(statsPrefix.length), counts: rest as DayCounts };
}
