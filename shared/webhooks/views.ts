import type { Webhook, WebhookAttempt } from '../contract/webhooks.ts';
import type { AttemptItem } from './deliveries.ts';
import type { WebhookItem } from './webhooks.ts';

/** A webhook as its project sees it, without the secret. */
export function toWebhook(item: WebhookItem): Webhook {
  const { disabled_at, disabled_because, failing_since } = item;
  return {
    webhook_id: item.webhook_id,
    url: item.url,
    event_types: item.event_types,
    description: item.description,
    disabled: disabled_at !== undefined,
    ...(disabled_at !== undefined && { disabled_at, disabled_because }),
    ...(failing_since !== undefined && { failing_since }),
    created_at: item.created_at,
    modified_at: item.modified_at,
  };
}

/** An attempt as the interface shows it. */
export function toAttempt(item: AttemptItem): WebhookAttempt {
  const { event_id, type, attempt, attempted_at, status_code, failure, next_attempt_at } = item;
  return {
    event_id,
    type,
    attempt,
    attempted_at,
    ...(status_code !== undefined && { status_code }),
    ...(failure !== undefined && { failure }),
    ...(next_attempt_at !== undefined && { next_attempt_at }),
  };
}
