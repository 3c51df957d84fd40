import { getItem } from '../db/batch-loader.ts';
import {
  type Change,
  type Changes,
  change,
  changeItem,
  create,
  del,
  update,
} from '../db/change.ts';
import { and, type Condition, exists, where } from '../db/condition.ts';
import { type Item, withLacking } from '../db/item.ts';
import { webhookPrefix } from '../db/key-prefixes.ts';
import { keys } from '../db/keys.ts';
import { modifiedAt, notModifiedAfter } from '../db/modified-at.ts';
import { query } from '../db/query.ts';
import { ifConditionFails, ifConditionHolds, updateItem } from '../db/transaction.ts';
import { ApiError, notFound } from '../model/errors.ts';
import type { EventType } from '../model/events.ts';
import { newWebhookId } from '../model/ids.ts';
import { limits } from '../model/limits.ts';

/**
 * Why a webhook is disabled: by request of the backend, because the receiver is gone (410), or because it failed for
 * days.
 */
export const disableReasons = ['request', 'gone', 'failing'] as const;

/** A webhook of a project. Its secret is not stored but derived from the id, the version and a key. */
export type WebhookItem = Item & {
  webhook_id: string;
  project_id: string;
  url: string;
  /** Empty: all types. */
  event_types: EventType[];
  description: string;
  secret_version: number;
  /** Previous versions that still sign, and until when. */
  previous_secrets: { version: number; until: string }[];
  disabled_at?: string;
  disabled_because?: (typeof disableReasons)[number];
  /** When the current series of failed attempts started. */
  failing_since?: string;
  /** The last minute's calls while the webhook fails, by event type (`mayCall`). */
  probed_at?: Partial<Record<EventType, string>>;
  /** The redelivery of a time range that holds the webhook, and until when. */
  redelivery_id?: string;
  redelivery_until?: string;
  created_at: string;
  modified_at: string;
};

/** A webhook that a change expects unchanged: failures disable it without a new `modified_at`. */
export const expectedWebhook = (webhook: WebhookItem): WebhookItem =>
  withLacking(webhook, 'disabled_at', 'disabled_because');

/** The attributes that a backend sets. */
export type WebhookSettings = Pick<WebhookItem, 'url' | 'event_types' | 'description'>;

/** Creates a webhook. Refused with `webhook_limit_reached`; the limit is exact, even under concurrency. */
export function createWebhook(
  project_id: string,
  settings: WebhookSettings,
  now: Date,
): Change<WebhookItem> {
  const webhook_id = newWebhookId(now);
  const webhook: WebhookItem = {
    ...keys.webhook(project_id, webhook_id),
    webhook_id,
    project_id,
    ...settings,
    secret_version: 1,
    previous_secrets: [],
    created_at: now.toISOString(),
    modified_at: now.toISOString(),
  };
  const room = where('attribute_not_exists(#pk) OR #webhook_count < :most', {
    most: limits.webhooksPerProject,
  });
  const count = update(keys.webhookCount(project_id), { increment: { webhook_count: 1 } }, room);
  return change({ webhook: create(webhook), count }, webhook, (failed) =>
    'count' in failed ? new ApiError('webhook_limit_reached') : undefined,
  );
}

/** The webhooks of a project, oldest first. */
export async function listWebhooks(project_id: string): Promise<WebhookItem[]> {
  const { pk: partition } = keys.webhook(project_id, '');
  const { items } = await query<WebhookItem>({ partition, prefix: webhookPrefix });
  return items;
}

/** The webhook, or undefined if the project has none with this id. */
export const getWebhook = (
  project_id: string,
  webhook_id: string,
): Promise<WebhookItem | undefined> => getItem(keys.webhook(project_id, webhook_id));

/** The webhook. Throws `not_found`. */
export async function requireWebhook(project_id: string, webhook_id: string): Promise<WebhookItem> {
  const webhook = await getWebhook(project_id, webhook_id);
  if (!webhook) throw notFound('no such webhook');
  return webhook;
}

/** Rotates the secret of a webhook and returns the new item. Stale if another rotation came first. */
export function rotateSecret(
  webhook: WebhookItem,
  previous_secrets: WebhookItem['previous_secrets'],
  now: Date,
): Change<WebhookItem> {
  const { project_id, webhook_id, secret_version } = webhook;
  const set = {
    secret_version: secret_version + 1,
    previous_secrets,
    modified_at: modifiedAt(now, webhook),
  };
  const secretUnchanged = where('#secret_version = :seen', { seen: secret_version });
  const condition = and(secretUnchanged, notModifiedAfter(set.modified_at));
  const key = keys.webhook(project_id, webhook_id);
  return changeItem({ key, changes: { set }, condition }, () => getWebhook(project_id, webhook_id));
}

/** Deletes a webhook. Its pending deliveries are dropped. Refused with `not_found`. */
export function deleteWebhook(project_id: string, webhook_id: string): Change<void> {
  const count = update(keys.webhookCount(project_id), { add: { webhook_count: -1 } }, exists);
  const webhook = del(keys.webhook(project_id, webhook_id), exists);
  return change({ webhook, count }, undefined, (failed) =>
    'webhook' in failed ? notFound('the webhook was deleted meanwhile') : undefined,
  );
}

/** A redelivery of a time range to one webhook. */
type RedeliveryOf = Pick<WebhookItem, 'project_id' | 'webhook_id'> & { redelivery_id: string };

/**
 * Reserves an enabled webhook for the redelivery of a time range. Exactly one redelivery holds it at a time. The holder
 * renews the hold before each page; if it dies, the hold expires. Returns the current webhook, held or not.
 */
export function lockRedelivery(
  { project_id, webhook_id, redelivery_id }: RedeliveryOf,
  now: string,
  redelivery_until: string,
): Promise<{ locked: boolean; webhook: WebhookItem | undefined }> {
  const free = where(
    'attribute_not_exists(#redelivery_id) OR #redelivery_id = :id OR #redelivery_until < :now',
    { id: redelivery_id, now },
  );
  const locking = updateItem<WebhookItem>(
    keys.webhook(project_id, webhook_id),
    { set: { redelivery_id, redelivery_until } },
    and(enabled, free),
  );
  return ifConditionFails(
    locking.then((webhook) => ({ locked: true, webhook })),
    ({ item }) => ({ locked: false, webhook: (item ?? undefined) as WebhookItem | undefined }),
  );
}

/** Releases the webhook for the next redelivery, unless another one already holds it. */
export async function endRedelivery(of: RedeliveryOf): Promise<void> {
  const ours = where('#redelivery_id = :id', { id: of.redelivery_id });
  await updateIfHolds(of, { remove: ['redelivery_id', 'redelivery_until'] }, ours);
}

/** Records a failed attempt, if it is the first one since the last success. */
export const markFailing = (called: WebhookItem, at: string): Promise<boolean> =>
  updateIfHolds(called, { setIfAbsent: { failing_since: at } }, stillCalls(called));

/** Records a successful attempt that ends a series of failures. */
export const clearFailing = (called: WebhookItem): Promise<boolean> =>
  updateIfHolds(called, { remove: ['failing_since', 'probed_at'] }, stillCalls(called));

/** Disables a webhook whose receiver responded 410 Gone. False if it has another URL by now, or was deleted. */
export const disableOnGone = (called: WebhookItem, at: string): Promise<boolean> =>
  updateIfHolds(
    called,
    { setIfAbsent: { disabled_at: at, disabled_because: 'gone' } },
    stillCalls(called),
  );

/** Disables a webhook that has been failing since `since`, unless an attempt succeeded meanwhile. */
export const disableAfterFailing = (
  called: WebhookItem,
  since: string,
  at: string,
): Promise<boolean> =>
  updateIfHolds(
    called,
    { set: { disabled_at: at, disabled_because: 'failing' } },
    and(
      stillCalls(called),
      where('attribute_not_exists(#disabled_at) AND #failing_since = :since', { since }),
    ),
  );

/** A call takes seconds, in which the webhook may get another URL: what the old one answered says nothing of that. */
const stillCalls = ({ url }: WebhookItem): Condition => where('#url = :called', { called: url });

const enabled = where('attribute_exists(#pk) AND attribute_not_exists(#disabled_at)');

function updateIfHolds(
  { project_id, webhook_id }: Pick<WebhookItem, 'project_id' | 'webhook_id'>,
  changes: Changes,
  condition: Condition,
): Promise<boolean> {
  return ifConditionHolds(updateItem(keys.webhook(project_id, webhook_id), changes, condition));
}
