import { getItem } from '../db/batch-loader.ts';
import type { Item } from '../db/item.ts';
import { keys, sequenceOf } from '../db/schema.ts';
import type { Event } from '../model/events.ts';
import { lifetimes } from '../model/limits.ts';
import { getFeedEnd } from './log.ts';
import { type EventItem, type EventPage, listEvents } from './pages.ts';

/** A page of a project's feed, oldest first, from behind a position. */
export async function listFeed(
  project_id: string,
  after: number,
  limit: number,
): Promise<EventPage<{ position: number; event: Event }>> {
  const keyOf = (position: number) => keys.feedEntry(project_id, position);
  const { events, ...page } = await listEvents<EventItem>(keyOf, after, limit);
  return {
    ...page,
    events: events.map((item) => ({
      position: sequenceOf(item),
      event: JSON.parse(item.event) as Event,
    })),
  };
}

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
