import { webhooks } from '#shared/contract/webhooks.ts';
import { epochSeconds } from '#shared/db/item.ts';
import { consumeRateLimit } from '#shared/db/rate-limits.ts';
import { currentRequest } from '#shared/db/request-context.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { env } from '#shared/model/env.ts';
import { ApiError, notFound } from '#shared/model/errors.ts';
import { newRedeliveryId, sha256 } from '#shared/model/ids.ts';
import { beginRange, findEvent, redeliverEvent } from '#shared/webhooks/redeliver.ts';
import { toWebhook } from '#shared/webhooks/views.ts';
import { requireWebhook } from '#shared/webhooks/webhooks.ts';

export const handler = endpoint(webhooks.redeliver, async ({ params, body, caller, now }) => {
  const { project_id } = caller;
  const { webhook_id } = params;
  const { event_id, since = '', until = '' } = body;
  const target = env.webhookSenderArn();
  // The result is a schedule, which no transaction can contain. A retry with the same idempotency key is the same
  // redelivery. After a 503, the key may come with another webhook or range, and the schedule of the first may exist.
  const { idempotencyId } = currentRequest();
  const redelivery_id = idempotencyId
    ? sha256(`${idempotencyId} ${webhook_id} ${since} ${until}`)
    : newRedeliveryId();
  const of = { redelivery_id, project_id, webhook_id, asked_at: epochSeconds(now) };
  const webhook = await requireWebhook(project_id, webhook_id);
  if (webhook.disabled_at !== undefined) throw new ApiError('webhook_disabled');
  if (event_id === undefined) {
    await beginRange({ ...of, since, until, turn: 1 }, webhook, now, target);
    return toWebhook(webhook);
  }
  await consumeRateLimit('redeliveredEvents', project_id, now);
  const event = await findEvent(project_id, event_id);
  if (!event) throw notFound('no such event');
  await redeliverEvent(of, event, now.getTime(), target);
  return toWebhook(webhook);
});
