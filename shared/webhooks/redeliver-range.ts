import { currentRequest } from '../db/request-context.ts';
import { type FeedPage, listFeed, positionBefore } from '../events/feed.ts';
import type { Event } from '../model/events.ts';
import { lifetimes } from '../model/limits.ts';
import { isFailing } from './breaker.ts';
import { attemptScheduled, subscribesTo } from './deliver.ts';
import {
  beginDelivery,
  lockRange,
  maxRecordingDelay,
  type Redelivery,
  redeliverRange,
} from './redeliver.ts';
import { endRedelivery } from './webhooks.ts';

/** Events to read and send at a time. Few, so that a receiver that was down is not overloaded. */
const pageSize = 10;
/** Milliseconds that one page may take: two attempts and the delay between them. */
const maxPageTime = 50_000;
/** Milliseconds after which all events that are being recorded now are recorded. */
const aMoment = 60_000;

/**
 * Redelivers the events of a range, oldest first, until the time runs out; a schedule continues with the rest. May be
 * interrupted and run again. Ends if the webhook is disabled or deleted. While the webhook is failing, one event a
 * minute begins its attempts. If this redelivery was taken for dead and another one holds the webhook now, it waits for
 * that one.
 */
export async function workRedelivery(range: Redelivery, target: string): Promise<void> {
  const { project_id, since, until, turn } = range;
  const { deadline } = currentRequest();
  let { after } = range;
  for (;;) {
    const { locked, webhook } = await lockRange(range, Date.now());
    if (!webhook) return;
    if (webhook.disabled_at !== undefined) return endRedelivery(range);
    if (!locked) {
      const waiting = { ...range, turn: turn + 1, ...(after !== undefined && { after }) };
      return redeliverRange(waiting, Date.parse(webhook.redelivery_until ?? ''), target);
    }
    after ??= await positionBefore(project_id, oldest(since));
    const matches = ({ time, type }: Event): boolean =>
      time >= since && time <= until && subscribesTo(webhook, type);
    const failing = isFailing(webhook, Date.now());
    const page = await listFeed(project_id, after, pageSize);
    const { events, next, more } = failing ? upToFirst(page, matches) : page;
    const matchingEvents = events.map(({ event }) => event).filter(matches);
    // If this page is processed again, its rounds are already started, and only the missing attempts are made.
    await Promise.all(
      matchingEvents.map(async (event) => {
        const begun = await beginDelivery(range, event);
        await attemptScheduled({ ...begun, attempt: 1 }, target);
      }),
    );
    const last = events.at(-1);
    if (!more || (last && Date.parse(last.event.time) > Date.parse(until) + maxRecordingDelay))
      return endRedelivery(range);
    // A page without a place ends before a transaction that is being recorded right now. One without events has places,
    // of events that have expired but are not yet deleted.
    const isAtGap = next === after;
    after = next;
    const now = Date.now();
    const rest = { ...range, turn: turn + 1, after };
    if (isAtGap || (failing && matchingEvents.length > 0))
      return redeliverRange(rest, now + aMoment, target);
    if (now + maxPageTime > deadline) return redeliverRange(rest, now, target);
  }
}

/** The part of a page up to the first event that matches; the whole page if none does. */
function upToFirst(page: FeedPage, matches: (event: Event) => boolean): FeedPage {
  const found = page.events.findIndex(({ event }) => matches(event));
  const first = page.events[found];
  if (!first || found === page.events.length - 1) return page;
  return { ...page, events: page.events.slice(0, found + 1), next: first.position, more: true };
}

/**
 * Events that have expired but are not yet deleted would give an empty page, so the search starts after them, including
 * its tolerance.
 */
function oldest(since: string): number {
  return Math.max(Date.parse(since), Date.now() - (lifetimes.event - 180) * 1_000);
}
