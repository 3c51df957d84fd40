import { webhooks } from '#shared/contract/webhooks.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { toWebhook } from '#shared/webhooks/views.ts';
import { deleteWebhook, expectedWebhook, requireWebhook } from '#shared/webhooks/webhooks.ts';

export const handler = endpoint(webhooks.delete, async ({ params, caller, match }) => {
  const webhook = await requireWebhook(caller.project_id, params.webhook_id);
  match?.(expectedWebhook(webhook), toWebhook(webhook));
  return deleteWebhook(caller.project_id, params.webhook_id).as(() => toWebhook(webhook));
});
