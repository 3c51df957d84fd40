import { webhooks } from '#shared/contract/webhooks.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getWebhookKey, previousAfterRotation, webhookSecretOf } from '#shared/webhooks/secrets.ts';
import { toWebhook } from '#shared/webhooks/views.ts';
import { requireWebhook, rotateSecret } from '#shared/webhooks/webhooks.ts';

export const handler = endpoint(webhooks.rotateSecret, async ({ params, caller, now }) => {
  const [key, webhook] = await Promise.all([
    getWebhookKey(),
    requireWebhook(caller.project_id, params.webhook_id),
  ]);
  return rotateSecret(webhook, previousAfterRotation(webhook, now), now).as((rotated) => ({
    ...toWebhook(rotated),
    secret: webhookSecretOf(rotated, key),
  }));
});
