import { epochSeconds, type Item } from '../db/item.ts';
import { query } from '../db/query.ts';
import { currentRequest } from '../db/request-context.ts';
import { eventPrefix } from '../db/key-prefixes.ts';
import { type Key, sequenceOf } from '../db/keys.ts';
import { lifetimes } from '../model/limits.ts';

/** An event as stored in a log or a feed. */
export type EventItem = Item & {
  /** Canonical JSON. */
  event: string;
  expires_at: number;
};

/** A page of a log or a feed. */
export type EventPage<T> = {
  events: T[];
  /** The place after which the next page starts. */
  next: number;
  /** True if there are more entries. */
  more: boolean;
  /** How many entries of the page have expired. */
  expired: number;
};

/** Seconds after which a transaction that has started has surely ended. */
const underWay = 60;

/**
 * A page of entries, oldest first, after a place. Places have no gaps, but a query may see a transaction before an
 * earlier one is fully visible. So a page ends before a recent gap, and the next page starts there. An older gap is
 * made of expired entries.
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
