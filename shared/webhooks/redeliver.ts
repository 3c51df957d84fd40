import { consumeRateLimit, refundRateLimit } from '../db/rate-limits.ts';
import { currentRequest } from '../db/request-context.ts';
import { listFeed, positionBefore } from '../events/feed.ts';
import { canonicalJson } from '../model/canonical-json.ts';
import { ApiError, notFound } from '../model/errors.ts';
import type { Event } from '../model/events.ts';
import { lifetimes } from '../model/limits.ts';
import type { ScheduledAttempt } from './deliver.ts';
import { startRedelivery } from './deliveries.ts';
import { scheduleOnce } from './scheduler.ts';
import { endRedelivery, lockRedelivery, type WebhookItem } from './webhooks.ts';

/** A range of a project's feed that is to be sent to a webhook again. */
export type Redelivery = {
  /** Names it: an event is sent again once by it, however often a part of the work is done. */
  redelivery_id: string;
  project_id: string;
  webhook_id: string;
  /** Times of events, both included. */
  since: string;
  until: string;
  /** Which part of the work it is, and the position in the feed from which to go on. */
  turn: number;
  after?: number;
};

/** Milliseconds after its time within which an event is recorded: as long as the stream keeps what tells of it. */
export const maxRecordingDelay = 86_400_000;

/** How far from its place by time an event is looked for: the 2,000 events that were recorded next. */
const pagesOfOne = 20;

/** Finds an event of a project that is still in the feed. Its id tells when it happened (UUIDv7). */
export async function findEvent(project_id: string, event_id: string): Promise<Event | undefined> {
  const time = Number.parseInt(event_id.replace(/^evt-/, '').replace('-', '').slice(0, 12), 16);
  let after = await positionBefore(project_id, time);
  for (let page = 0; page < pagesOfOne; page += 1) {
    const { events, more } = await listFeed(project_id, after, 100);
    const found = events.find(({ event }) => event.id === event_id);
    if (found) return found.event;
    const last = events.at(-1);
    if (!more || !last || Date.parse(last.event.time) > time + maxRecordingDelay) return undefined;
    after = last.position;
  }
  return undefined;
}

/** Has one event sent to a webhook again, soon, by the function at `target`. */
export async function redeliverEvent(
  of: Pick<Redelivery, 'project_id' | 'webhook_id' | 'redelivery_id'>,
  event: Event,
  at: number,
  target: string,
): Promise<void> {
  const attempt = await beginDelivery(of, event);
  await scheduleOnce(`${of.redelivery_id} ${event.id}`, at, { attempt }, target);
}

/**
 * Has a range sent to an enabled webhook again. Throws `redelivery_in_progress` while the webhook has another range, or
 * `too_many_requests`; `not_found` or `webhook_disabled` where it has become so meanwhile.
 */
export async function beginRange(
  range: Redelivery,
  { redelivery_id, redelivery_until = '' }: WebhookItem,
  now: Date,
  target: string,
): Promise<void> {
  const { project_id } = range;
  const isTaken = redelivery_id !== undefined && redelivery_id !== range.redelivery_id;
  if (isTaken && redelivery_until >= now.toISOString())
    throw new ApiError('redelivery_in_progress');
  // Counted first: what is refused here has not touched the webhook.
  await consumeRateLimit('redeliveredRanges', project_id, now);
  const { held, webhook } = await lockRange(range, now.getTime());
  if (!webhook || !held) {
    refundRateLimit('redeliveredRanges', project_id, now);
    if (!webhook) throw notFound('no such webhook');
    throw new ApiError(
      webhook.disabled_at === undefined ? 'redelivery_in_progress' : 'webhook_disabled',
    );
  }
  try {
    await redeliverRange(range, now.getTime(), target);
  } catch (error) {
    // At worst the webhook is held for nothing until the time of this one ends.
    await endRedelivery(range).catch(() => {});
    throw error;
  }
}

/** Lets a range have its webhook for itself, until some time after now, if no other has it. */
export function lockRange(range: Redelivery, now: number): ReturnType<typeof lockRedelivery> {
  const iso = (time: number) => new Date(time).toISOString();
  return lockRedelivery(range, iso(now), iso(now + lifetimes.redeliveryHold * 1_000));
}

/** Has a range, or the rest of one, sent again, soon, by the function at `target`. */
export async function redeliverRange(range: Redelivery, at: number, target: string): Promise<void> {
  await scheduleOnce(`${range.redelivery_id} ${range.turn}`, at, { redelivery: range }, target);
}

/** Begins a round of an event's delivery, once by each redelivery; its first attempt is to be made. */
export async function beginDelivery(
  of: Pick<Redelivery, 'project_id' | 'webhook_id' | 'redelivery_id'>,
  event: Event,
): Promise<ScheduledAttempt> {
  const { project_id, webhook_id, redelivery_id } = of;
  const delivery = { project_id, webhook_id, event_id: event.id };
  const { round } = await startRedelivery(
    { ...delivery, type: event.type, body: canonicalJson(event) },
    redelivery_id,
    currentRequest().now,
  );
  return { ...delivery, round, attempt: 1 };
}
