import type { Change, Changes } from '../db/change.ts';
import { and, type Condition, exists, where } from '../db/condition.ts';
import { keys } from '../db/keys.ts';
import { updateMonotonic } from '../db/modified-at.ts';
import { type ApiError, notFound } from '../model/errors.ts';
import { expectedWebhook, getWebhook, type WebhookItem, type WebhookSettings } from './webhooks.ts';

/**
 * Changes the settings of a webhook and returns the new item. A new receiver, and one that is enabled, starts with a
 * new grace period for failures; an update with the URL that the webhook has keeps the old one. Refused with
 * `not_found`.
 */
export function updateWebhook(
  project_id: string,
  webhook_id: string,
  requested: { [K in keyof WebhookSettings]?: WebhookSettings[K] | undefined } & {
    disabled?: boolean | undefined;
  },
  now: Date,
): Change<WebhookItem> {
  const { disabled, ...settings } = requested;
  const { url } = settings;
  const missing = () => notFound('no such webhook');
  const update = (
    removed: readonly string[],
    condition: Condition,
    refusal: (item: WebhookItem | null) => ApiError | Change<WebhookItem>,
  ) => {
    const changes: Changes = {
      set: settings,
      // Only set once, so that the first reason and time stay.
      ...(disabled && {
        setIfAbsent: { disabled_at: now.toISOString(), disabled_because: 'request' },
      }),
      remove: removed,
    };
    const key = keys.webhook(project_id, webhook_id);
    const read = async () => {
      const webhook = await getWebhook(project_id, webhook_id);
      return webhook && expectedWebhook(webhook);
    };
    return updateMonotonic<WebhookItem>({ key, changes, condition }, now, read, refusal);
  };
  if (disabled === false)
    return update(
      ['disabled_at', 'disabled_because', 'failing_since', 'probed_at'],
      exists,
      missing,
    );
  if (url === undefined) return update([], exists, missing);
  // The condition finds out whether the URL differs, without a read.
  return update([], and(exists, where('#url = :same', { same: url })), (item) =>
    item ? update(['failing_since', 'probed_at'], exists, missing) : missing(),
  );
}
