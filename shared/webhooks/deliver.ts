import type { KeyObject } from 'node:crypto';
import { currentRequest } from '../db/request-context.ts';
import { canonicalJson } from '../model/canonical-json.ts';
import type { Event } from '../model/events.ts';
import { lifetimes } from '../model/limits.ts';
import { maxCallTime, type Outcome, postOnce } from '../outbound/post.ts';
import { isLocalService } from '../outbound/target.ts';
import { isFailing, mayCall } from './breaker.ts';
import {
  addDelivery,
  claimAttempt,
  type DeliveryId,
  type DeliveryItem,
  dropDelivery,
  getDelivery,
  newDelivery,
  recordAttempt,
} from './deliveries.ts';
import { isShortDelay, nextAttempt } from './retry-schedule.ts';
import { type ScheduledAttempt, scheduleFirst } from './schedule-first.ts';
import { scheduleOnce } from './scheduler.ts';
import { getWebhookKey, signingKeysOf } from './secrets.ts';
import { signedHeaders } from './signature.ts';
import {
  clearFailing,
  disableAfterFailing,
  disableOnGone,
  getWebhook,
  markFailing,
  type WebhookItem,
} from './webhooks.ts';

/** The result of an attempt that is not made, because the webhook is failing. */
const putOff: Outcome = { failure: 'receiver_failing' };

/** Milliseconds after which a started attempt counts as abandoned: longer than any attempt can take. */
const lease = maxCallTime + 15_000;

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** True if the webhook is enabled and receives events of this type. */
export const subscribesTo = ({ disabled_at, event_types }: WebhookItem, type: string): boolean =>
  disabled_at === undefined &&
  (event_types.length === 0 || event_types.some((each) => each === type));

/**
 * Sends an event to a webhook, once, even if the event arrives several times. If an earlier invocation died, the next
 * one with the same event completes its delivery.
 *
 * @param target ARN of the function that makes the scheduled attempts
 */
export async function deliver(webhook: WebhookItem, event: Event, target: string): Promise<void> {
  const { project_id, webhook_id } = webhook;
  const now = Date.now();
  const delivery = newDelivery(
    { project_id, webhook_id, event_id: event.id, type: event.type, body: canonicalJson(event) },
    new Date(now),
    iso(now + lease),
  );
  const earlier = await addDelivery(delivery);
  if (!earlier) return makeAttempts(delivery, target, { webhook });
  const claimed = await resume(earlier, target);
  if (claimed) await makeAttempts(claimed, target);
}

/** Makes a scheduled attempt, unless it was made before. One of an earlier round sees to the newer one. */
export async function attemptScheduled(scheduled: ScheduledAttempt, target: string): Promise<void> {
  const claimed = await claimOrResume(scheduled, target);
  const asked = scheduled.asked && claimed?.attempt === scheduled.attempt;
  if (claimed) await makeAttempts(claimed, target, { asked });
}

/**
 * Makes a claimed attempt and the retries after it, until one succeeds or none is left. A retry after a short delay is
 * made here; a later one is scheduled.
 *
 * @param first of the claimed attempt: the webhook, if it was just read, and whether it calls a failing receiver too. Each
 * retry reads the webhook again, because it may be disabled meanwhile
 */
async function makeAttempts(
  delivery: DeliveryItem,
  target: string,
  first: { webhook?: WebhookItem; asked?: boolean | undefined } = {},
): Promise<void> {
  const { project_id, webhook_id, event_id, type, attempt, body } = delivery;
  const webhook = first.webhook ?? (await getWebhook(project_id, webhook_id));
  // Read before the request is sent: if the key cannot be read, nothing has been sent and the attempt can be
  // repeated.
  const key = await getWebhookKey();
  if (!webhook || webhook.disabled_at !== undefined || body === undefined)
    return dropDelivery(delivery);

  const at = Date.now();
  const calls = first.asked || (await mayCall(webhook, type, at));
  const outcome = calls ? await call(webhook, { id: event_id, body, at }, key) : putOff;
  const succeeded = 'status_code' in outcome && Math.floor(outcome.status_code / 100) === 2;
  const gone = isGone(outcome) && (await disableOnGone(webhook, iso(at)));
  const seed = `${webhook_id} ${event_id}`;
  // From its end: a receiver that takes 15 s to fail is not called again at once.
  const retryAt =
    succeeded || gone ? undefined : nextAttempt(attempt, Date.now(), seed, isFailing(webhook, at));

  await recordAttempt(
    delivery,
    {
      attempted_at: iso(at),
      ...outcome,
      state: succeeded ? 'delivered' : retryAt === undefined ? 'failed' : 'pending',
      ...(retryAt !== undefined && { next_attempt_at: iso(retryAt) }),
    },
    new Date(at),
  );
  // What was not called has neither failed nor succeeded.
  if (calls && !gone) await recordOutcome(webhook, { succeeded, attempt, at });
  if (retryAt === undefined) return;
  const retry = await claimNext(delivery, retryAt, target);
  if (retry) await makeAttempts(retry, target);
}

/** Claims an attempt. If that fails, resumes the delivery: it may be in a newer round that nobody else sees to. */
async function claimOrResume(
  which: DeliveryId & Pick<DeliveryItem, 'round' | 'attempt'>,
  target: string,
): Promise<DeliveryItem | undefined> {
  const claimed = await claim(which, which);
  if (claimed) return claimed;
  const delivery = await getDelivery(which.webhook_id, which.event_id);
  return delivery && resume(delivery, target);
}

/**
 * Takes over a delivery that an earlier invocation started. Returns it with the attempt to make, or undefined if it is
 * complete, another invocation is working on it, or the attempt is scheduled.
 */
async function resume(delivery: DeliveryItem, target: string): Promise<DeliveryItem | undefined> {
  const { state, round, attempt, lease_until, next_attempt_at } = delivery;
  if (state !== 'pending') return undefined;
  if (lease_until !== undefined) return claim(delivery, { round, attempt });
  // Neither a lease nor a due time: a redelivery has started this round, and may have died before it was scheduled.
  if (next_attempt_at === undefined) {
    await scheduleFirst(delivery, Date.now(), target);
    return undefined;
  }
  return claimNext(delivery, Date.parse(next_attempt_at), target);
}

/**
 * Waits for the next attempt and claims it, or schedules it if the delay is long. Returns undefined if it is scheduled
 * or another invocation has claimed it.
 *
 * @param due epoch milliseconds
 */
async function claimNext(
  delivery: DeliveryItem,
  due: number,
  target: string,
): Promise<DeliveryItem | undefined> {
  const { project_id, webhook_id, event_id, round } = delivery;
  const next = { round, attempt: delivery.attempt + 1 };
  const left = due - Date.now();
  if (!isShortDelay(due, Date.now())) {
    const scheduled: ScheduledAttempt = { project_id, webhook_id, event_id, ...next };
    const name = `${webhook_id} ${event_id} ${round} ${next.attempt}`;
    await scheduleOnce(name, due, { attempt: scheduled }, target);
    return undefined;
  }
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
  return claimOrResume({ ...delivery, ...next }, target);
}

function claim(
  of: DeliveryId,
  which: Pick<DeliveryItem, 'round' | 'attempt'>,
): Promise<DeliveryItem | undefined> {
  const now = Date.now();
  return claimAttempt(of, which, iso(now), iso(now + lease));
}

function call(
  webhook: WebhookItem,
  { id, body, at }: { id: string; body: string; at: number },
  key: KeyObject,
): Promise<Outcome> {
  const signingKeys = signingKeysOf(webhook, iso(at), key);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'identity-workspace-webhooks',
    ...signedHeaders({ id, timestamp: Math.floor(at / 1_000), body }, signingKeys),
  };
  const { signal } = currentRequest();
  return postOnce(webhook.url, { headers, body }, { local: isLocalService(), signal });
}

/** 410: the receiver is gone for good (RFC 9110, section 15.5.11). */
const isGone = (outcome: Outcome): boolean =>
  'status_code' in outcome && outcome.status_code === 410;

/**
 * Attempts of a delivery that do not disable its webhook. The last failure may be of long ago, with nothing sent since:
 * one of a moment, which the second attempt may get over, is no series.
 */
const harmlessAttempts = 2;

/** Records the start and the end of a series of failures, and disables the webhook when the series lasts too long. */
async function recordOutcome(
  webhook: WebhookItem,
  { succeeded, attempt, at }: { succeeded: boolean; attempt: number; at: number },
): Promise<void> {
  const { failing_since } = webhook;
  if (succeeded) {
    if (failing_since !== undefined) await clearFailing(webhook);
  } else if (failing_since === undefined) await markFailing(webhook, iso(at));
  else if (
    attempt > harmlessAttempts &&
    at - Date.parse(failing_since) >= lifetimes.failingWebhook * 1_000
  )
    await disableAfterFailing(webhook, failing_since, iso(at));
}
