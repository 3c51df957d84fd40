import { webhooks } from '#shared/contract/webhooks.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { toWebhook } from '#shared/webhooks/views.ts';
import { requireWebhook } from '#shared/webhooks/webhooks.ts';

export const handler = endpoint(webhooks.get, async ({ params, caller }) =>
  toWebhook(await requireWebhook(caller.project_id, params.webhook_id)),
);
