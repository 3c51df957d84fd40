import { webhooks } from '#shared/contract/webhooks.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { listAttempts } from '#shared/webhooks/deliveries.ts';
import { toAttempt } from '#shared/webhooks/views.ts';
import { requireWebhook } from '#shared/webhooks/webhooks.ts';

export const handler = endpoint(webhooks.listAttempts, async ({ params, caller, page }) => {
  const { webhook_id } = params;
  // Read in parallel with the check of the webhook, and discarded if that fails.
  const [, { attempts, more }] = await Promise.all([
    requireWebhook(caller.project_id, webhook_id),
    listAttempts(webhook_id, page),
  ]);
  const result = attempts.map(toAttempt);
  return reply({ count: result.length, result }, { next: more ? attempts.at(-1)?.sk : undefined });
});
