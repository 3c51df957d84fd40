import { webhooks } from '#shared/contract/webhooks.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getWebhookKey, webhookSecretOf } from '#shared/webhooks/secrets.ts';
import { assertTarget } from '#shared/webhooks/target.ts';
import { toWebhook } from '#shared/webhooks/views.ts';
import { createWebhook } from '#shared/webhooks/webhooks.ts';

export const handler = endpoint(webhooks.create, async ({ body, caller, now }) => {
  const { url, event_types = [], description = '' } = body;
  await assertTarget(url);
  const key = await getWebhookKey();
  const settings = { url, event_types, description };
  return createWebhook(caller.project_id, settings, now).as((webhook) => ({
    ...toWebhook(webhook),
    secret: webhookSecretOf(webhook, key),
  }));
});
