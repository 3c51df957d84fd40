import { webhooks } from '#shared/contract/webhooks.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { assertTarget } from '#shared/webhooks/target.ts';
import { updateWebhook } from '#shared/webhooks/update-webhook.ts';
import { toWebhook } from '#shared/webhooks/views.ts';
import { expectedWebhook, requireWebhook } from '#shared/webhooks/webhooks.ts';

export const handler = endpoint(webhooks.update, async ({ params, body, caller, match, now }) => {
  if (body.url !== undefined) await assertTarget(body.url);
  const { project_id } = caller;
  const isEmpty = Object.keys(body).length === 0;
  if (match || isEmpty) {
    const webhook = await requireWebhook(project_id, params.webhook_id);
    match?.(expectedWebhook(webhook), toWebhook(webhook));
    if (isEmpty) return toWebhook(webhook);
  }
  return updateWebhook(project_id, params.webhook_id, body, now).as(toWebhook);
});
