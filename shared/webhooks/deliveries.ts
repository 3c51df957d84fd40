import { getItem } from '../db/batch-loader.ts';
import type { Changes } from '../db/change.ts';
import { and, type Condition, where } from '../db/condition.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { attemptPrefix } from '../db/key-prefixes.ts';
import { keys } from '../db/keys.ts';
import { query } from '../db/query.ts';
import { createItem, ifConditionFails, ifConditionHolds, updateItem } from '../db/transaction.ts';
import type { CallFailure } from '../model/call-failures.ts';
import type { EventType } from '../model/events.ts';
import { lifetimes } from '../model/limits.ts';
import type { Page } from '../model/page.ts';

/** The identity of a delivery. A webhook and an event have one delivery, even if the event arrives several times. */
export type DeliveryId = { project_id: string; webhook_id: string; event_id: string };

/** The delivery of one event to one webhook. */
export type DeliveryItem = Item &
  DeliveryId & {
    type: EventType;
    /**
     * The request body, which is the same bytes in every attempt. Removed when the delivery ends, because it may
     * contain personal data.
     */
    body?: string;
    /** 1, incremented by each redelivery, so that an attempt scheduled in an earlier round no longer matches. */
    round: number;
    /** Number of the last attempt that was started in this round; 0 if none was. */
    attempt: number;
    /** Set while an attempt is running. Until then no other invocation makes it. */
    lease_until?: string;
    /** When the next attempt is due, after a failed one. */
    next_attempt_at?: string;
    /** `dropped`: the webhook was disabled or deleted when an attempt was due. */
    state: 'pending' | 'delivered' | 'failed' | 'dropped';
    /** The redelivery that started this round. */
    redelivery_id?: string;
    created_at: string;
    /** Epoch seconds. */
    expires_at: number;
  };

/** The event that a delivery carries. */
type Payload = { type: EventType; body: string };

/** The result of one attempt, which customers read to debug a missing event. */
export type AttemptItem = Item & {
  event_id: string;
  type: EventType;
  attempt: number;
  attempted_at: string;
  status_code?: number;
  failure?: CallFailure;
  next_attempt_at?: string;
  /** Epoch seconds. */
  expires_at: number;
};

/**
 * A new delivery, not yet stored, with its first attempt already claimed: the invocation that stores it makes that
 * attempt.
 */
export function newDelivery(
  of: DeliveryId & Payload,
  now: Date,
  lease_until: string,
): DeliveryItem {
  return {
    ...keys.delivery(of.webhook_id, of.event_id),
    ...of,
    round: 1,
    attempt: 1,
    lease_until,
    state: 'pending',
    created_at: now.toISOString(),
    expires_at: expiry(now),
  };
}

/** Stores a new delivery. If there already is one, returns that one and changes nothing. */
export const addDelivery = (delivery: DeliveryItem): Promise<DeliveryItem | undefined> =>
  ifConditionFails(
    createItem(delivery).then(() => undefined),
    ({ item }) => (item ?? undefined) as DeliveryItem | undefined,
  );

/** The delivery. Undefined if there was none, or it has expired. */
export const getDelivery = (
  webhook_id: string,
  event_id: string,
): Promise<DeliveryItem | undefined> => getItem(keys.delivery(webhook_id, event_id));

/**
 * Claims an attempt. Of several concurrent invocations one gets the delivery, the others undefined. An attempt that was
 * not completed before its lease ended is claimed again, because its invocation has died.
 */
export function claimAttempt(
  { webhook_id, event_id }: DeliveryId,
  { round, attempt }: Pick<DeliveryItem, 'round' | 'attempt'>,
  now: string,
  lease_until: string,
): Promise<DeliveryItem | undefined> {
  const free = where(
    '(#attempt = :previous AND attribute_not_exists(#lease_until)) OR (#attempt = :attempt AND #lease_until < :now)',
    { previous: attempt - 1, attempt, now },
  );
  const claiming = updateItem<DeliveryItem>(
    keys.delivery(webhook_id, event_id),
    { set: { attempt, lease_until }, remove: ['next_attempt_at'] },
    and(pending(round), free),
  );
  return ifConditionFails(claiming, () => undefined);
}

/**
 * Records the result of an attempt. The attempt is listed first: if the invocation dies in between and the attempt is
 * made again, both are listed.
 */
export async function recordAttempt(
  delivery: DeliveryItem,
  result: Pick<AttemptItem, 'attempted_at' | 'status_code' | 'failure' | 'next_attempt_at'> &
    Pick<DeliveryItem, 'state'>,
  now: Date,
): Promise<void> {
  const { webhook_id, event_id, type, round, attempt } = delivery;
  const { state, ...seen } = result;
  const listed: AttemptItem = {
    ...keys.attempt(webhook_id, seen.attempted_at, `${event_id}#${round}.${attempt}`),
    event_id,
    type,
    attempt,
    ...seen,
    expires_at: expiry(now),
  };
  // A repeated write of the same attempt at the same millisecond has the same content.
  await ifConditionHolds(createItem(listed));
  const { next_attempt_at } = seen;
  const over = state === 'pending' ? [] : ['body'];
  await settle(delivery, { set: { state, next_attempt_at }, remove: ['lease_until', ...over] });
}

/** Ends the delivery to a webhook that was disabled or deleted. */
export const dropDelivery = (delivery: DeliveryItem): Promise<void> =>
  settle(delivery, {
    set: { state: 'dropped' },
    remove: ['lease_until', 'next_attempt_at', 'body'],
  });

async function settle(delivery: DeliveryItem, changes: Changes): Promise<void> {
  const { webhook_id, event_id, round, attempt } = delivery;
  const ours = and(pending(round), where('#attempt = :attempt', { attempt }));
  await ifConditionHolds(updateItem(keys.delivery(webhook_id, event_id), changes, ours));
}

/**
 * Starts a new round of a delivery in any state, or creates the delivery; no attempt is claimed yet. If this redelivery
 * already started a round, returns the delivery unchanged.
 *
 * @param asked_at epoch seconds at which the redelivery was asked for. A round of its id that began a day before is of
 * another redelivery: the Idempotency-Key of which the id is made may be used again after a day
 */
export function startRedelivery(
  of: DeliveryId & Payload,
  { redelivery_id, asked_at = 0 }: { redelivery_id: string; asked_at?: number },
  now: Date,
): Promise<DeliveryItem> {
  const starting = updateItem<DeliveryItem>(
    keys.delivery(of.webhook_id, of.event_id),
    {
      set: { ...of, redelivery_id, state: 'pending', attempt: 0, expires_at: expiry(now) },
      setIfAbsent: { created_at: now.toISOString() },
      increment: { round: 1 },
      remove: ['lease_until', 'next_attempt_at'],
    },
    where(
      'attribute_not_exists(#redelivery_id) OR #redelivery_id <> :id OR #expires_at <= :day_ago',
      { id: redelivery_id, day_ago: asked_at + lifetimes.delivery - lifetimes.idempotencyRecord },
    ),
  );
  return ifConditionFails(starting, ({ item: begun }, error) => {
    if (!begun) throw error;
    return begun as DeliveryItem;
  });
}

/** A page of the attempts of a webhook, newest first. */
export async function listAttempts(
  webhook_id: string,
  { limit, after }: Pick<Page, 'limit' | 'after'>,
): Promise<{ attempts: AttemptItem[]; more: boolean }> {
  const { pk: partition } = keys.attempt(webhook_id, '', '');
  const { items, more } = await query<AttemptItem>({
    partition,
    prefix: attemptPrefix,
    newestFirst: true,
    limit,
    ...(after !== undefined && { after: { pk: partition, sk: after } }),
  });
  return { attempts: items, more };
}

const pending = (round: number): Condition =>
  where('#state = :pending AND #round = :round', { pending: 'pending', round });

const expiry = (now: Date): number => epochSeconds(now) + lifetimes.delivery;
