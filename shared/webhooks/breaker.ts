import { attributesUnchanged } from '../db/condition.ts';
import { keys } from '../db/keys.ts';
import { ifConditionFails, updateItem } from '../db/transaction.ts';
import type { EventType } from '../model/events.ts';
import type { WebhookItem } from './webhooks.ts';

/**
 * Keeps a receiver that does not respond from occupying a function of the account for 15 s with each attempt. Once it
 * has failed for a minute without a success, it is called with one event of each type a minute, and one success ends
 * that.
 */

/** Milliseconds of failures without a success after which a webhook is failing. */
const patience = 60_000;
/** Milliseconds between two calls with events of one type while the webhook is failing. */
const probeInterval = 60_000;

/**
 * True if the calls to a webhook have failed for so long that most attempts are put off.
 *
 * @param now epoch milliseconds
 */
export const isFailing = ({ failing_since }: WebhookItem, now: number): boolean =>
  failing_since !== undefined && now - Date.parse(failing_since) >= patience;

/**
 * True if an attempt may call the receiver. While the webhook is failing, of several concurrent attempts with events of
 * one type exactly one may, and no other for a minute, also if that one dies.
 *
 * Each type has a minute of its own, because a receiver may fail with one type only: events of the others would hardly
 * ever be sent where those of that type come often.
 *
 * The times are of the clocks of different machines: if one is ahead by some seconds, the minute is as much longer or
 * shorter. A time more than a minute ahead counts as none.
 *
 * @param now epoch milliseconds
 */
export async function mayCall(
  webhook: WebhookItem,
  type: EventType,
  now: number,
): Promise<boolean> {
  if (!isFailing(webhook, now)) return true;
  const recent = Object.entries(webhook.probed_at ?? {}).filter(
    ([, at]) => Math.abs(now - Date.parse(at)) < probeInterval,
  );
  // Without a write: the item would be written as often as its events come.
  if (recent.some(([probed]) => probed === type)) return false;
  const probed_at = Object.fromEntries([...recent, [type, new Date(now).toISOString()]]);
  const probing = updateItem(
    keys.webhook(webhook.project_id, webhook.webhook_id),
    { set: { probed_at } },
    attributesUnchanged(webhook, ['failing_since', 'probed_at']),
  ).then(() => true);
  // Another type was called, or the series of failures has ended. A deleted webhook is not called.
  return ifConditionFails(probing, ({ item }) =>
    item ? mayCall(item as WebhookItem, type, now) : false,
  );
}
