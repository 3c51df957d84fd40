import type { Event } from '../events.ts';
import { currentRequest } from '../request.ts';
import { listFeed } from '../table/event-feed.ts';
import { positionBefore } from '../table/feed-search.ts';
import { getWebhook } from '../table/webhooks.ts';
import { attemptScheduled, wants } from './deliver.ts';
import { begin, latest, type Redelivery, redeliverRange } from './redeliver.ts';

/** Events that are read, and sent, at a time; a receiver that was down is not to be knocked over. */
const pageSize = 10;
/** Milliseconds that one page may take: two attempts and what lies between. */
const longestPage = 50_000;

/**
 * Sends the events of a range again, the oldest first, as far as the time goes; the rest is left to a schedule. It may
 * be interrupted and run again. It ends where the webhook is disabled or deleted.
 */
export async function workRedelivery(range: Redelivery, target: string): Promise<void> {
  const { project_id, webhook_id, since, until } = range;
  const { deadline } = currentRequest();
  let after = range.after ?? (await positionBefore(project_id, Date.parse(since)));
  for (;;) {
    const webhook = await getWebhook(project_id, webhook_id);
    if (!webhook || webhook.disabled_at !== undefined) return;
    const { events, more } = await listFeed(project_id, after, pageSize);
    const wanted = events
      .map(({ event }) => event)
      .filter(({ time, type }) => time >= since && time <= until && wants(webhook, type));
    await Promise.all(wanted.map((event) => sendAgain(range, event, target)));
    const last = events.at(-1);
    if (!last || !more || Date.parse(last.event.time) > Date.parse(until) + latest) return;
    after = last.position;
    const now = Date.now();
    if (now + longestPage > deadline) return redeliverRange({ ...range, after }, now, target);
  }
}

async function sendAgain(range: Redelivery, event: Event, target: string): Promise<void> {
  const scheduled = await begin(range, event);
  if (scheduled) await attemptScheduled(scheduled, target);
}
