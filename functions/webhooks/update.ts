import { webhooks } from '#shared/contract/webhooks.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { updateWebhook } from '#shared/table/webhooks.ts';
import { assertTarget } from '#shared/webhooks/target.ts';
import { viewWebhook } from '#shared/webhooks/views.ts';

export const handler = endpoint(webhooks.update, async ({ params, body, caller, now }) => {
  if (body.url !== undefined) assertTarget(body.url);
  return viewWebhook(await updateWebhook(caller.project_id, params.webhook_id, body, now));
});
