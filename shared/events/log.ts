import { getItem } from '../db/batch-loader.ts';
import { del, put, type Write } from '../db/change.ts';
import { hasTime } from '../db/client.ts';
import { exists } from '../db/condition.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { eventPrefix } from '../db/key-prefixes.ts';
import { type Key, keys, sequenceOf } from '../db/keys.ts';
import { query, queryPages } from '../db/query.ts';
import { currentRequest } from '../db/request-context.ts';
import { transact, updateItem } from '../db/transaction.ts';
import { canonicalJson } from '../model/canonical-json.ts';
import type { Event } from '../model/events.ts';
import { lifetimes } from '../model/limits.ts';
import type { Counted } from '../stats/count-events.ts';
import type { ChainLink } from './hash-chain.ts';
import { type EventItem, type EventPage, goOnAtEnd, listEvents } from './pages.ts';

/** The end of the log of one user or workspace. It stays when the events expire, so that the hash chain continues. */
export type LogHead = Item &
  Counted & {
    project_id: string;
    /** The `event_count` of the item, as far as it is recorded. */
    told: number;
    /** The number of the last entry. */
    number: number;
    hash: string;
    /** Ends of the ids of the last events, to recognise duplicates. */
    recent: string[];
    /** The counts of events that have not arrived. */
    missing?: number[];
  };

type LogItem = EventItem & {
  previous_hash: string;
  hash: string;
  /** The position in the project's feed. */
  position: number;
};

/** The end of a project's feed. */
export type FeedHead = Item & {
  position: number;
  /** The position up to which events are counted in the statistics. A release before 0.10.0 leaves it behind. */
  counted?: number;
};

/** An event of a log with its place in the hash chain. */
export type LogEntry = ChainLink & { event: Event; hash: string };

/** The end of the log of a partition. Undefined if it has no events yet. */
export const getLogHead = (partition: string): Promise<LogHead | undefined> =>
  getItem<LogHead>(keys.logHead(partition));

/** The end of a project's feed. Undefined if it has no events yet. */
export const getFeedHead = (project_id: string): Promise<FeedHead | undefined> =>
  getItem<FeedHead>(keys.feedHead(project_id));

/** The position of the last event in a project's feed, which is also the number of its events. */
export async function getFeedEnd(project_id: string): Promise<number> {
  return (await getFeedHead(project_id))?.position ?? 0;
}

/**
 * A page of a log, oldest first, after a number: where all entries after it have expired, it goes on at the end.
 * Undefined if the number is ahead of the log.
 */
export async function followLog(
  partition: string,
  after: number,
  limit: number,
): Promise<EventPage<LogEntry> | undefined> {
  const keyOf = (number: number) => keys.logEntry(partition, number);
  const { events, ...rest } = await listEvents<LogItem>(keyOf, after, limit);
  const page = { ...rest, events: events.map((item) => toEntry(item)) };
  return goOnAtEnd(page, keyOf, after, async () => (await getLogHead(partition))?.number ?? 0);
}

/** Entries per query, and the milliseconds that must be left of the request after reading. */
const newestAtOnce = 50;
const timeLeft = 1_000;

/** The newest events of a log, or those before a number, oldest first. */
export type LogPage = {
  events: Event[];
  /** True if the log still has older events. */
  more: boolean;
  /** The number of the oldest event in the page. */
  next: number;
};

/**
 * Reads the newest events of a log, or those before a number, up to a number of events and bytes, and as far as the
 * time of the request allows.
 */
export async function readNewest(
  partition: string,
  max: { events: number; bytes: number },
  before?: number,
): Promise<LogPage> {
  const now = epochSeconds(currentRequest().now);
  const texts: string[] = [];
  let next = before ?? 0;
  const oldestFirst = (more: boolean) => ({
    events: texts.map((text) => JSON.parse(text) as Event).toReversed(),
    more,
    next,
  });
  let bytes = 0;
  let after: Key | undefined = before === undefined ? undefined : keys.logEntry(partition, before);
  for (;;) {
    const page = await query<EventItem>({
      partition: keys.logHead(partition).pk,
      prefix: eventPrefix,
      newestFirst: true,
      limit: newestAtOnce,
      attributes: ['pk', 'sk', 'event', 'expires_at'],
      after,
    });
    for (const item of page.items) {
      const { event, expires_at } = item;
      // Older entries have expired too.
      if (expires_at <= now) return oldestFirst(false);
      // Lambda's response contains the body as a JSON string, in which each quote is escaped once more.
      bytes += Buffer.byteLength(JSON.stringify(event));
      if (texts.length === max.events || bytes > max.bytes) return oldestFirst(true);
      texts.push(event);
      next = sequenceOf(item);
    }
    if (!page.more) return oldestFirst(false);
    if (!hasTime(timeLeft)) return oldestFirst(true);
    after = page.next;
  }
}

const removalSize = 20;

/**
 * Deletes the log of a deleted user, or those of its events that are chosen, and removes the personal data of these
 * from the feed; the feed keeps the events with their ids and order. May be interrupted and run again. The head stays
 * as long as events are kept: a repeated stream record is then recognised, and cannot bring the data back.
 */
export async function removeLog(
  partition: string,
  isChosen: (event: Event) => boolean = () => true,
): Promise<void> {
  const head = await getLogHead(partition);
  if (!head) return;
  let removesAll = true;
  const pages = { partition: head.pk, prefix: eventPrefix, limit: removalSize };
  for await (const items of queryPages<LogItem>(pages)) {
    const chosen = items.filter((item) => isChosen(toEntry(item).event));
    if (chosen.length < items.length) removesAll = false;
    const writes = chosen.flatMap((item): Write[] => [
      del({ pk: item.pk, sk: item.sk }),
      put({
        ...keys.feedEntry(head.project_id, item.position),
        event: canonicalJson(withoutPerson(toEntry(item).event)),
        expires_at: item.expires_at,
      }),
    ]);
    if (writes.length > 0) await transact(Object.fromEntries(writes.entries()));
  }
  // Without its head a log would begin again at the number 1, among the entries that stay.
  if (removesAll)
    await updateItem(keys.logHead(partition), { set: { expires_at: expiry() } }, exists);
}

/** Keeps only ids, which identify nobody after the user is deleted. */
function withoutPerson({ id, type, time, project_id, actor, data }: Event): Event {
  return { id, type, time, project_id, actor, data: { user_id: data['user_id'] } };
}

function toEntry(item: LogItem): LogEntry {
  const { event, previous_hash, hash } = item;
  return { number: sequenceOf(item), event: JSON.parse(event) as Event, previous_hash, hash };
}

/**
 * Measured now, not at the start of the request, because the feed is searched by it, and it distinguishes a recent gap
 * from an old one.
 */
export const expiry = (): number => epochSeconds(new Date()) + lifetimes.event;
