import { currentRequest } from '../db/request-context.ts';
import { listFeed, positionBefore } from '../events/feed.ts';
import { lifetimes } from '../model/limits.ts';
import { attemptScheduled, subscribesTo } from './deliver.ts';
import {
  beginDelivery,
  lockRange,
  maxRecordingDelay,
  type Redelivery,
  redeliverRange,
} from './redeliver.ts';
import { endRedelivery } from './webhooks.ts';

/** Events that are read, and sent, at a time; a receiver that was down is not to be knocked over. */
const pageSize = 10;
/** Milliseconds that one page may take: two attempts and what lies between. */
const maxPageTime = 50_000;
/** Milliseconds after which what is being recorded is recorded. */
const aMoment = 60_000;

/**
 * Sends the events of a range again, the oldest first, as far as the time goes; the rest is left to a schedule. It may
 * be interrupted and run again. It ends where the webhook is disabled or deleted. One that was taken for dead, so that
 * another has the webhook by now, waits for that one.
 */
export async function workRedelivery(range: Redelivery, target: string): Promise<void> {
  const { project_id, since, until, turn } = range;
  const { deadline } = currentRequest();
  let { after } = range;
  for (;;) {
    const { held, webhook } = await lockRange(range, Date.now());
    if (!webhook) return;
    if (webhook.disabled_at !== undefined) return endRedelivery(range);
    if (!held) {
      const waiting = { ...range, turn: turn + 1, ...(after !== undefined && { after }) };
      return redeliverRange(waiting, Date.parse(webhook.redelivery_until ?? ''), target);
    }
    after ??= await positionBefore(project_id, oldest(since));
    const { events, more } = await listFeed(project_id, after, pageSize);
    const wanted = events
      .map(({ event }) => event)
      .filter(({ time, type }) => time >= since && time <= until && subscribesTo(webhook, type));
    // Whoever does this part again finds the rounds begun, and makes the attempts that were not made.
    await Promise.all(
      wanted.map(async (event) => attemptScheduled(await beginDelivery(range, event), target)),
    );
    const last = events.at(-1);
    if (!more || (last && Date.parse(last.event.time) > Date.parse(until) + maxRecordingDelay))
      return endRedelivery(range);
    after = last?.position ?? after;
    const now = Date.now();
    const rest = { ...range, turn: turn + 1, after };
    // A page that is empty though there is more ends before what is being recorded at this moment.
    if (!last) return redeliverRange(rest, now + aMoment, target);
    if (now + maxPageTime > deadline) return redeliverRange(rest, now, target);
  }
}

/** A page of what has expired and is not yet gone would be empty: the search, with its slack, begins behind it. */
function oldest(since: string): number {
  return Math.max(Date.parse(since), Date.now() - (lifetimes.event - 180) * 1_000);
}
