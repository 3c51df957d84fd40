import { getItem } from '../db/batch-loader.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { eventPrefix } from '../db/key-prefixes.ts';
import { type Key, sequenceOf } from '../db/keys.ts';
import { query } from '../db/query.ts';
import { currentRequest } from '../db/request-context.ts';
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
 * earlier one is fully visible. So a page ends before a recent gap, and the next page starts there. An older gap, and
 * one after 90 days in which nothing was recorded, is made of expired entries.
 */
export async function listEvents<T extends EventItem>(
  keyOf: (place: number) => Key,
  after: number,
  limit: number,
): Promise<EventPage<T>> {
  const { items, more } = await query<T>({
    partition: keyOf(after).pk,
    prefix: eventPrefix,
    after: keyOf(after),
    limit,
  });
  const now = epochSeconds(currentRequest().now);
  const isNew = ({ expires_at }: T) => expires_at - lifetimes.event > now - underWay;
  const events: T[] = [];
  let next = after;
  for (const item of items) {
    const place = sequenceOf(item);
    const isRecent = place > next + 1 && isNew(item);
    if (isRecent && !(await haveExpired(keyOf, next, place - 1)))
      return { events, next, more: true, expired: next - after - events.length };
    if (item.expires_at > now) events.push(item);
    next = place;
  }
  return { events, next, more, expired: next - after - events.length };
}

/**
 * The page itself; or, if it found nothing after its place and everything there has expired, a page that goes on at
 * the end. Undefined if the place is ahead of the end, which is only read for a page that found nothing.
 */
export async function goOnAtEnd<T>(
  page: EventPage<T>,
  keyOf: (place: number) => Key,
  after: number,
  readEnd: () => Promise<number>,
): Promise<EventPage<T> | undefined> {
  // Nothing is said about 0: in a new project, an event that is being recorded would look like one that has expired.
  if (after === 0 || page.more || page.next > after) return page;
  const end = await readEnd();
  if (end <= after) return end === after ? page : undefined;
  if (!(await haveExpired(keyOf, after, end))) return { ...page, more: true };
  return { ...page, next: end, expired: end - after };
}

/**
 * Whether the entries after a place, up to a last one, have expired, if a query found none of them. Entries expire in
 * their order, so none has while the entry before them is kept. And each is there for a read of that item, which no
 * transaction divides, as soon as something shows a later place.
 */
async function haveExpired(
  keyOf: (place: number) => Key,
  before: number,
  last: number,
): Promise<boolean> {
  const [previous, found] = await Promise.all(
    [before, last].map((place) => getItem<EventItem>(keyOf(place))),
  );
  const isKept = previous && previous.expires_at > epochSeconds(currentRequest().now);
  return !isKept && !found;
}
