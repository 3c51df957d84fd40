import { getItem } from '../db/batch-loader.ts';
import type { Item } from '../db/item.ts';
import { keys, sequenceOf } from '../db/keys.ts';
import type { Event } from '../model/events.ts';
import { lifetimes } from '../model/limits.ts';
import { getFeedEnd } from './log.ts';
import { type EventItem, type EventPage, goOnAtEnd, listEvents } from './pages.ts';

export type FeedPage = EventPage<{ position: number; event: Event }>;

/** A page of a project's feed, oldest first, after a position. */
export async function listFeed(
  project_id: string,
  after: number,
  limit: number,
): Promise<FeedPage> {
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

/**
 * A page for a consumer that follows the feed with a cursor: where all events after it have expired, it goes on at the
 * end. Undefined if the cursor is ahead of the feed.
 */
export async function followFeed(
  project_id: string,
  after: number,
  limit: number,
): Promise<FeedPage | undefined> {
  const keyOf = (position: number) => keys.feedEntry(project_id, position);
  const page = await listFeed(project_id, after, limit);
  return goOnAtEnd(page, keyOf, after, () => getFeedEnd(project_id));
}

/** Tolerance in seconds for the clocks of the instances that create and record an event. */
const slack = 60;

/**
 * A feed position before every event of this time or later, with few earlier events after it. Events are recorded in
 * the order of their positions, and after they happen. Takes about twenty sequential reads.
 *
 * @param time epoch milliseconds
 */
export async function positionBefore(project_id: string, time: number): Promise<number> {
  // Expiry has a precision of whole seconds.
  const since = Math.floor(time / 1_000) - slack;
  let before = 0;
  let end = await getFeedEnd(project_id);
  while (before < end) {
    const middle = Math.ceil((before + end) / 2);
    const found = await getItem<Item & { expires_at: number }>(keys.feedEntry(project_id, middle));
    // A missing entry has expired.
    if (!found || found.expires_at - lifetimes.event < since) before = middle;
    else end = middle - 1;
  }
  return before;
}
