import { keys, placeOf } from '../db/schema.ts';
import type { Event } from '../model/events.ts';
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
      position: placeOf(item),
      event: JSON.parse(item.event) as Event,
    })),
  };
}
