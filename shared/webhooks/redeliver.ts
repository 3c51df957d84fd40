import { consumeRateLimit, refundRateLimit } from '../db/rate-limits.ts';
import { currentRequest } from '../db/request-context.ts';
import { listFeed, positionBefore } from '../events/feed.ts';
import { canonicalJson } from '../model/canonical-json.ts';
import { ApiError, notFound } from '../model/errors.ts';
import type { Event } from '../model/events.ts';
import { lifetimes } from '../model/limits.ts';
import { type DeliveryItem, startRedelivery } from './deliveries.ts';
import { scheduleFirst } from './schedule-first.ts';
import { scheduleOnce } from './scheduler.ts';
import { endRedelivery, lockRedelivery, type WebhookItem } from './webhooks.ts';

/** A range of a project's feed to redeliver to a webhook. */
export type Redelivery = {
  /** Identifies the redelivery. It sends each event again once, even if a part of the work is repeated. */
  redelivery_id: string;
  project_id: string;
  webhook_id: string;
  /** Epoch seconds at which it was asked for. Absent from one of an earlier release. */
  asked_at?: number;
  /** Event times, both inclusive. */
  since: string;
  until: string;
  /** Number of the invocation, and the feed position to continue from. */
  turn: number;
  after?: number;
};

type RedeliveryOf = Pick<Redelivery, 'project_id' | 'webhook_id' | 'redelivery_id' | 'asked_at'>;

/** Milliseconds after its time within which an event is recorded: the retention of the stream. */
export const maxRecordingDelay = 86_400_000;

/** Pages of the feed that are searched for one event: the 2,000 events recorded after its time. */
const pagesOfOne = 20;

/** Finds an event in the feed of a project, or returns undefined. The time comes from its id (UUIDv7). */
export async function findEvent(project_id: string, event_id: string): Promise<Event | undefined> {
  const time = Number.parseInt(event_id.replace(/^evt-/, '').replace('-', '').slice(0, 12), 16);
  let after = await positionBefore(project_id, time);
  for (let page = 0; page < pagesOfOne; page += 1) {
    const { events, next, more } = await listFeed(project_id, after, 100);
    const found = events.find(({ event }) => event.id === event_id);
    if (found) return found.event;
    const last = events.at(-1);
    const isPast = last && Date.parse(last.event.time) > time + maxRecordingDelay;
    // Without a place, the page ends before a transaction that is being recorded; without events, all have expired.
    if (!more || next === after || isPast) return undefined;
    after = next;
  }
  return undefined;
}

/**
 * Starts the redelivery of one event to a webhook. If it ends before the first attempt is scheduled, an attempt of the
 * round before schedules it.
 *
 * @param at epoch milliseconds
 * @param target ARN of the function that makes the attempt
 */
export async function redeliverEvent(
  of: RedeliveryOf,
  event: Event,
  at: number,
  target: string,
): Promise<void> {
  await scheduleFirst(await beginDelivery(of, event), at, target);
}

/**
 * Starts the redelivery of a range to an enabled webhook. Throws `redelivery_in_progress` while the webhook has another
 * range, `too_many_requests`, or `not_found` or `webhook_disabled` if the webhook was deleted or disabled meanwhile.
 *
 * @param target ARN of the function that does the work
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
  // Consumed first, so that a refused request has not changed the webhook.
  await consumeRateLimit('redeliveredRanges', project_id, now);
  const { locked, webhook } = await lockRange(range, now.getTime());
  if (!webhook || !locked) {
    refundRateLimit('redeliveredRanges', project_id, now);
    if (!webhook) throw notFound('no such webhook');
    throw new ApiError(
      webhook.disabled_at === undefined ? 'redelivery_in_progress' : 'webhook_disabled',
    );
  }
  try {
    await redeliverRange(range, now.getTime(), target);
  } catch (error) {
    // If this fails too, the webhook stays reserved until the hold expires.
    await endRedelivery(range).catch(() => {});
    throw error;
  }
}

/**
 * Reserves the webhook for a range for a limited time, unless another range holds it.
 *
 * @param now epoch milliseconds
 */
export function lockRange(range: Redelivery, now: number): ReturnType<typeof lockRedelivery> {
  const iso = (time: number) => new Date(time).toISOString();
  return lockRedelivery(range, iso(now), iso(now + lifetimes.redeliveryHold * 1_000));
}

/**
 * Schedules the redelivery of a range, or of the rest of one.
 *
 * @param at epoch milliseconds
 * @param target ARN of the function that does the work
 */
export async function redeliverRange(range: Redelivery, at: number, target: string): Promise<void> {
  await scheduleOnce(`${range.redelivery_id} ${range.turn}`, at, { redelivery: range }, target);
}

/** Starts a round of an event's delivery, once per redelivery. Its first attempt is not made yet. */
export function beginDelivery(of: RedeliveryOf, event: Event): Promise<DeliveryItem> {
  const { project_id, webhook_id } = of;
  const { id: event_id, type } = event;
  return startRedelivery(
    { project_id, webhook_id, event_id, type, body: canonicalJson(event) },
    of,
    currentRequest().now,
  );
}
