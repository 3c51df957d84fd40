import { epochSeconds, type Item } from '../db/item.ts';
import { query } from '../db/query.ts';
import { currentRequest } from '../db/request-context.ts';
import { eventPrefix, type Key, sequenceOf } from '../db/schema.ts';
import { lifetimes } from '../model/limits.ts';

/** An event as it lies in a log or a feed. */
export type EventItem = Item & {
  /** Canonical JSON. */
  event: string;
  expires_at: number;
};

/** A page of a log or a feed. */
export type EventPage<T> = {
  events: T[];
  /** Behind which place the next page begins. */
  next: number;
  /** Whether there are more already. */
  more: boolean;
  /** How many between where the page begins and `next` are no longer kept. */
  expired: number;
};

/** Seconds within which a transaction that has begun has long ended. */
const underWay = 60;

/**
 * A page, oldest first, from behind a place. Places are given without a gap, but a query may see one transaction
 * before all of an earlier one: so a page ends before a gap that is of just now, and the next one begins there. An
 * older gap is what has expired.
 */
export async function listEvents<T extends EventItem>(
  keyOf: (place: number) => Key,
  after: number,
  limit: number,
): Promise<EventPage<T>> {
  const start = keyOf(after);
  const { items, more } = await query<T>({
    partition: start.pk,
    prefix: eventPrefix,
    after: start,
    limit,
  });
  const now = epochSeconds(currentRequest().now);
  const isNew = ({ expires_at }: T) => expires_at - lifetimes.event > now - underWay;
  const before = (i: number) => sequenceOf(items[i - 1] ?? start);
  const gap = items.findIndex((item, i) => isNew(item) && sequenceOf(item) > before(i) + 1);
  const whole = gap === -1 ? items : items.slice(0, gap);
  const events = whole.filter(({ expires_at }) => expires_at > now);
  const next = sequenceOf(whole.at(-1) ?? start);
  return { events, next, more: more || gap !== -1, expired: next - after - events.length };
}
