import { secretReader } from '../access/secrets-manager.ts';
import { env } from '../model/env.ts';
import { derive, derivingKey } from '../model/hmac.ts';
import { lifetimes, limits } from '../model/limits.ts';
import { writtenSecret } from './signature.ts';
import type { WebhookItem } from './webhooks.ts';

/**
 * The key of which the secrets of all webhooks are derived, so that the table holds none and whoever reads a backup can
 * sign nothing. It is of nothing else: who talks to strangers' servers must not be able to derive what is mailed.
 */
export const getWebhookKey = /* @__PURE__ */ secretReader(() => env.webhookSecretId(), derivingKey);

const keyOf = (webhook_id: string, version: number, key: Buffer): Buffer =>
  derive(`webhook ${webhook_id} ${version}`, key);

/** The present secret, as its receiver is given it. */
export const secretOf = ({ webhook_id, secret_version }: WebhookItem, key: Buffer): string =>
  writtenSecret(keyOf(webhook_id, secret_version, key));

/** What an attempt is signed with: the present secret, and each previous one that is still good. */
export function signingKeysOf(webhook: WebhookItem, now: string, key: Buffer): Buffer[] {
  const { webhook_id, secret_version, previous_secrets } = webhook;
  const good = previous_secrets.filter(({ until }) => until > now);
  return [secret_version, ...good.map(({ version }) => version)].map((version) =>
    keyOf(webhook_id, version, key),
  );
}

/**
 * The previous secrets after a rotation: the one that is replaced signs for a day more. A rotation that is repeated,
 * because its answer was lost, must not end the secret that the receiver still has; so several may overlap.
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
