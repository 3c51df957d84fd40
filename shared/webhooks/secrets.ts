import type { KeyObject } from 'node:crypto';
import { secretReader } from '../access/secrets-manager.ts';
import { env } from '../model/env.ts';
import { derive, derivingKey } from '../model/hmac.ts';
import { lifetimes, limits } from '../model/limits.ts';
import { writtenSecret } from './signature.ts';
import type { WebhookItem } from './webhooks.ts';

/**
 * The key that all webhook secrets are derived from. The table stores no secret, so a leaked backup cannot sign
 * anything. The key has no other use: the function that calls customers' servers must not be able to derive mailed
 * tokens.
 */
export const getWebhookKey = /* @__PURE__ */ secretReader(() => env.webhookSecretId(), derivingKey);

const keyOf = (webhook_id: string, version: number, key: KeyObject): Buffer =>
  derive(`webhook ${webhook_id} ${version}`, key);

/** The current secret in the form that the receiver gets. */
export const webhookSecretOf = (
  { webhook_id, secret_version }: WebhookItem,
  key: KeyObject,
): string => writtenSecret(keyOf(webhook_id, secret_version, key));

/** The keys that sign an attempt: the current one, and each previous one that has not expired. */
export function signingKeysOf(webhook: WebhookItem, now: string, key: KeyObject): Buffer[] {
  const { webhook_id, secret_version, previous_secrets } = webhook;
  const good = previous_secrets.filter(({ until }) => until > now);
  return [secret_version, ...good.map(({ version }) => version)].map((version) =>
    keyOf(webhook_id, version, key),
  );
}

/**
 * The previous secrets after a rotation. The replaced secret signs for one more day. Several may overlap: a rotation
 * that is repeated after a lost response must not invalidate the secret that the receiver still has.
 */
export function previousAfterRotation(
  { secret_version, previous_secrets }: WebhookItem,
  now: Date,
): WebhookItem['previous_secrets'] {
  const at = now.toISOString();
  const until = new Date(now.getTime() + lifetimes.previousWebhookSecret * 1_000).toISOString();
  const good = previous_secrets.filter((each) => each.until > at);
  return [{ version: secret_version, until }, ...good].slice(0, limits.previousWebhookSecrets);
}
