import { webhooks } from '#shared/contract/webhooks.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { toWebhook } from '#shared/webhooks/views.ts';
import { listWebhooks } from '#shared/webhooks/webhooks.ts';

export const handler = endpoint(webhooks.list, async ({ caller }) => {
  const result = (await listWebhooks(caller.project_id)).map(toWebhook);
  return replyPage(result);
});
