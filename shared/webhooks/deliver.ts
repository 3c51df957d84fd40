import { currentRequest } from '../db/request-context.ts';
import { canonicalJson } from '../model/canonical-json.ts';
import type { Event } from '../model/events.ts';
import { lifetimes } from '../model/limits.ts';
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
import { maxCallTime, type Outcome, post } from './post.ts';
import { isShortDelay, nextAttempt } from './retry-schedule.ts';
import { scheduleOnce } from './scheduler.ts';
import { getWebhookKey, signingKeysOf } from './secrets.ts';
import { signedHeaders } from './signature.ts';
import { isLocalService } from './target.ts';
import {
  clearFailing,
  disableAfterFailing,
  disableOnGone,
  getWebhook,
  markFailing,
  type WebhookItem,
} from './webhooks.ts';

/** An attempt that a schedule is to make. */
export type ScheduledAttempt = DeliveryId & Pick<DeliveryItem, 'round' | 'attempt'>;

/** Milliseconds after which an attempt that was begun is taken for abandoned: more than it can take. */
const lease = maxCallTime + 15_000;

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Whether a webhook is to have the events of a type. */
export const subscribesTo = ({ disabled_at, event_types }: WebhookItem, type: string): boolean =>
  disabled_at === undefined &&
  (event_types.length === 0 || event_types.some((each) => each === type));

/**
 * Sends an event to a webhook: once, however often the event comes. What an invocation that died has left undone, the
 * next one with the same event takes up.
 * @param target ARN of the function that goes on with what fails
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
  await (earlier ? resume(earlier, target) : makeAttempt(delivery, target, webhook));
}

/** Makes the attempt that was scheduled, unless it was made, or another round has begun. */
export async function attemptScheduled(scheduled: ScheduledAttempt, target: string): Promise<void> {
  const claimed = await claim(scheduled, scheduled);
  if (claimed) return makeAttempt(claimed, target);
  const delivery = await getDelivery(scheduled.webhook_id, scheduled.event_id);
  if (delivery?.round === scheduled.round) await resume(delivery, target);
}

/** Does what is left to do of a delivery that has begun, if nobody is at it. */
async function resume(delivery: DeliveryItem, target: string): Promise<void> {
  const { state, round, attempt, lease_until, next_attempt_at } = delivery;
  if (state !== 'pending') return;
  if (lease_until !== undefined) {
    const claimed = await claim(delivery, { round, attempt });
    return claimed && makeAttempt(claimed, target);
  }
  // Of a round that has not begun there is a schedule: whoever began it makes it, or is told that it failed.
  if (next_attempt_at !== undefined)
    await scheduleNext(delivery, Date.parse(next_attempt_at), target);
}

/** Waits for the next attempt and makes it, or leaves it to a schedule. */
async function scheduleNext(delivery: DeliveryItem, due: number, target: string): Promise<void> {
  const { project_id, webhook_id, event_id, round } = delivery;
  const next = { round, attempt: delivery.attempt + 1 };
  const left = due - Date.now();
  if (!isShortDelay(due, Date.now())) {
    const scheduled: ScheduledAttempt = { project_id, webhook_id, event_id, ...next };
    const name = `${webhook_id} ${event_id} ${round} ${next.attempt}`;
    return scheduleOnce(name, due, { attempt: scheduled }, target);
  }
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
  const claimed = await claim(delivery, next);
  if (claimed) await makeAttempt(claimed, target);
}

function claim(
  of: DeliveryId,
  which: Pick<DeliveryItem, 'round' | 'attempt'>,
): Promise<DeliveryItem | undefined> {
  const now = Date.now();
  return claimAttempt(of, which, iso(now), iso(now + lease));
}

/** Makes the attempt that was claimed, notes what came of it, and goes on from there. */
async function makeAttempt(
  delivery: DeliveryItem,
  target: string,
  known?: WebhookItem,
): Promise<void> {
  const { project_id, webhook_id, event_id, attempt, body } = delivery;
  const webhook = known ?? (await getWebhook(project_id, webhook_id));
  // What fails here fails for a while, and before anything is sent.
  const key = await getWebhookKey();
  if (!webhook || webhook.disabled_at !== undefined || body === undefined)
    return dropDelivery(delivery);
  const at = Date.now();
  const outcome = await call(webhook, { id: event_id, body, at }, key);
  const next = nextAttempt(attempt, at, `${webhook_id} ${event_id}`);
  const succeeded = 'status_code' in outcome && Math.floor(outcome.status_code / 100) === 2;
  const goes = !succeeded && next !== undefined && !isGone(outcome);
  await recordAttempt(
    delivery,
    {
      attempted_at: iso(at),
      ...outcome,
      state: succeeded ? 'delivered' : goes ? 'pending' : 'failed',
      ...(goes && { next_attempt_at: iso(next) }),
    },
    new Date(at),
  );
  await recordOutcome(webhook, outcome, succeeded, at);
  if (goes) await scheduleNext(delivery, next, target);
}

function call(
  webhook: WebhookItem,
  { id, body, at }: { id: string; body: string; at: number },
  key: Buffer,
): Promise<Outcome> {
  const signingKeys = signingKeysOf(webhook, iso(at), key);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'identity-workspace-webhooks',
    ...signedHeaders({ id, timestamp: Math.floor(at / 1_000), body }, signingKeys),
  };
  const { signal } = currentRequest();
  return post(webhook.url, { headers, body }, { local: isLocalService(), signal });
}

/** The receiver says that there will never be anybody again (RFC 9110, 410). */
const isGone = (outcome: Outcome): boolean =>
  'status_code' in outcome && outcome.status_code === 410;

/** Keeps how the webhook fares: the first failure of a series, its end, and when it has lasted too long. */
async function recordOutcome(
  webhook: WebhookItem,
  outcome: Outcome,
  succeeded: boolean,
  at: number,
): Promise<void> {
  const { failing_since } = webhook;
  if (succeeded) {
    if (failing_since !== undefined) await clearFailing(webhook);
  } else if (isGone(outcome)) await disableOnGone(webhook, iso(at));
  else if (failing_since === undefined) await markFailing(webhook, iso(at));
  else if (at - Date.parse(failing_since) >= lifetimes.failingWebhook * 1_000)
    await disableAfterFailing(webhook, failing_since, iso(at));
}
