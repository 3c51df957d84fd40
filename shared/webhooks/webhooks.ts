import { getItem } from '../db/batch-loader.ts';
import {
  and,
  type Change,
  type Changes,
  type Condition,
  ConditionFailed,
  change,
  changeItem,
  create,
  del,
  update,
  where,
} from '../db/change.ts';
import type { Item } from '../db/item.ts';
import { modifiedAt, notModifiedAfter, updateMonotonic } from '../db/modified-at.ts';
import { query } from '../db/query.ts';
import { keys, webhookPrefix } from '../db/schema.ts';
import { ifConditionHolds, updateItem } from '../db/transaction.ts';
import { ApiError, notFound } from '../model/errors.ts';
import type { EventType } from '../model/events.ts';
import { newWebhookId } from '../model/ids.ts';
import { limits } from '../model/limits.ts';

/** Why a webhook is disabled: the back end said so, its receiver is gone (410), or it failed for days. */
export const disableReasons = ['request', 'gone', 'failing'] as const;

/** Where a project has its events sent. The secret is nowhere: it follows from the id, the version and a key. */
export type WebhookItem = Item & {
  webhook_id: string;
  project_id: string;
  url: string;
  /** Empty: every type. */
  event_types: EventType[];
  description: string;
  secret_version: number;
  /** Versions that sign beside the present one, and until when. */
  previous_secrets: { version: number; until: string }[];
  disabled_at?: string;
  disabled_because?: (typeof disableReasons)[number];
  /** When the first attempt failed of those that no success came after. */
  failing_since?: string;
  /** The redelivery of a time range that has the webhook for itself, and until when. */
  redelivery_id?: string;
  redelivery_until?: string;
  created_at: string;
  modified_at: string;
};

/** What a back end says of a webhook. */
export type WebhookSettings = Pick<WebhookItem, 'url' | 'event_types' | 'description'>;

const exists = where('attribute_exists(#pk)');

/** Makes a webhook. Refused with `webhook_limit_reached`, exactly, however many are made at once. */
export function createWebhook(
  project_id: string,
  given: WebhookSettings,
  now: Date,
): Change<WebhookItem> {
  const webhook_id = newWebhookId(now);
  const webhook: WebhookItem = {
    ...keys.webhook(project_id, webhook_id),
    webhook_id,
    project_id,
    ...given,
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

/** The webhooks of a project, the oldest first. */
export async function listWebhooks(project_id: string): Promise<WebhookItem[]> {
  const { pk: partition } = keys.webhook(project_id, '');
  const { items } = await query<WebhookItem>({ partition, prefix: webhookPrefix });
  return items;
}

/** The webhook, or undefined where the project has none by this id. */
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

/** Changes what a back end may change, and results in the webhook as it is then. Refused with `not_found`. */
export function updateWebhook(
  project_id: string,
  webhook_id: string,
  given: { [K in keyof WebhookSettings]?: WebhookSettings[K] | undefined } & {
    disabled?: boolean | undefined;
  },
  now: Date,
): Change<WebhookItem> {
  const { disabled, ...settings } = given;
  const changes: Changes = {
    set: settings,
    // Once: why and since when one is disabled stays as it was first.
    ...(disabled && {
      setIfAbsent: { disabled_at: now.toISOString(), disabled_because: 'request' },
    }),
    // Enabled again, it has its days of grace anew.
    ...(disabled === false && { remove: ['disabled_at', 'disabled_because', 'failing_since'] }),
  };
  return updateMonotonic<WebhookItem>(
    { key: keys.webhook(project_id, webhook_id), changes, condition: exists },
    now,
    () => getWebhook(project_id, webhook_id),
    () => notFound('no such webhook'),
  );
}

/** Gives a webhook its next secret, and results in it as it is then. Stale where another rotation came between. */
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
  const same = where('#secret_version = :seen', { seen: secret_version });
  const condition = and(same, notModifiedAfter(set.modified_at));
  const key = keys.webhook(project_id, webhook_id);
  return changeItem({ key, changes: { set }, condition }, () => getWebhook(project_id, webhook_id));
}

/** Deletes a webhook: what was to be sent to it is not sent any more. Refused with `not_found`. */
export function deleteWebhook(project_id: string, webhook_id: string): Change<void> {
  const count = update(
    keys.webhookCount(project_id),
    { add: { webhook_count: -1 } },
    where('attribute_exists(#pk)'),
  );
  const webhook = del(keys.webhook(project_id, webhook_id), exists);
  return change({ webhook, count }, undefined, (failed) =>
    'webhook' in failed ? notFound('the webhook was deleted meanwhile') : undefined,
  );
}

/** A redelivery of a time range to one webhook. */
type RedeliveryOf = Pick<WebhookItem, 'project_id' | 'webhook_id'> & { redelivery_id: string };

/**
 * Lets a redelivery of a time range have an enabled webhook for itself for a while, exactly one of however many. Who has it
 * keeps it by asking again, before each page; one that died loses it when its time ends. Answers the webhook as it is.
 */
export async function lockRedelivery(
  { project_id, webhook_id, redelivery_id }: RedeliveryOf,
  now: string,
  redelivery_until: string,
): Promise<{ held: boolean; webhook: WebhookItem | undefined }> {
  const free = where(
    'attribute_not_exists(#redelivery_id) OR #redelivery_id = :id OR #redelivery_until < :now',
    { id: redelivery_id, now },
  );
  try {
    const item = await updateItem(
      keys.webhook(project_id, webhook_id),
      { set: { redelivery_id, redelivery_until } },
      and(enabled, free),
    );
    return { held: true, webhook: item as WebhookItem };
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const webhook = (error.failed['item'] ?? undefined) as WebhookItem | undefined;
    return { held: false, webhook };
  }
}

/** Leaves a webhook to the next redelivery, unless another has it by now. */
export const endRedelivery = (of: RedeliveryOf): Promise<void> =>
  updateIfHolds(
    of,
    { remove: ['redelivery_id', 'redelivery_until'] },
    where('#redelivery_id = :id', { id: of.redelivery_id }),
  );

/** Notes that an attempt failed, where none had since the last success. */
export const markFailing = (webhook: WebhookItem, at: string): Promise<void> =>
  updateIfHolds(webhook, { setIfAbsent: { failing_since: at } }, exists);

/** Notes that an attempt succeeded, where one had failed before. */
export const clearFailing = (webhook: WebhookItem): Promise<void> =>
  updateIfHolds(webhook, { remove: ['failing_since'] }, where('attribute_exists(#failing_since)'));

/** Disables a webhook whose receiver is gone. */
export const disableOnGone = (webhook: WebhookItem, at: string): Promise<void> =>
  updateIfHolds(webhook, { set: { disabled_at: at, disabled_because: 'gone' } }, enabled);

/** Disables a webhook that has failed since then, unless a success came between. */
export const disableAfterFailing = (
  webhook: WebhookItem,
  since: string,
  at: string,
): Promise<void> =>
  updateIfHolds(
    webhook,
    { set: { disabled_at: at, disabled_because: 'failing' } },
    where('attribute_not_exists(#disabled_at) AND #failing_since = :since', { since }),
  );

const enabled = where('attribute_exists(#pk) AND attribute_not_exists(#disabled_at)');

function updateIfHolds(
  { project_id, webhook_id }: Pick<WebhookItem, 'project_id' | 'webhook_id'>,
  changes: Changes,
  condition: Condition,
): Promise<void> {
  return ifConditionHolds(updateItem(keys.webhook(project_id, webhook_id), changes, condition));
}
