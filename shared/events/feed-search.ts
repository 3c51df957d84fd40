import { getItem } from '../db/batch-loader.ts';
import type { Item } from '../db/item.ts';
import { keys } from '../db/schema.ts';
import { lifetimes } from '../model/limits.ts';
import { getFeedEnd } from './log.ts';

/** Seconds by which clocks may differ, of whoever makes an event and of whoever records it. */
const slack = 60;

/**
 * A position in a project's feed behind which every event of that time or later is, and few others: events are recorded
 * in the order of their positions, and later than they happen. It takes some twenty reads, one after the other.
 * @param time epoch milliseconds
 */
export async function positionBefore(project_id: string, time: number): Promise<number> {
  // Expiry counts in whole seconds.
  const since = Math.floor(time / 1_000) - slack;
  let before = 0;
  let end = await getFeedEnd(project_id);
  while (before < end) {
    const middle = Math.ceil((before + end) / 2);
    const found = await getItem<Item & { expires_at: number }>(keys.feedEntry(project_id, middle));
    // What is missing has expired.
    if (!found || found.expires_at - lifetimes.event < since) before = middle;
    else end = middle - 1;
  }
  return before;
}
