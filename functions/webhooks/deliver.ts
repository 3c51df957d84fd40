import type { Context, EventBridgeEvent } from 'aws-lambda';
import { type Event, eventSource } from '#shared/events.ts';
import { log } from '#shared/http/log.ts';
import { inRequest } from '#shared/request.ts';
import { listWebhooks } from '#shared/table/webhooks.ts';
import {
  attemptScheduled,
  deliverEvent,
  type ScheduledAttempt,
  wants,
} from '#shared/webhooks/deliver.ts';
import type { Redelivery } from '#shared/webhooks/redeliver.ts';
import { workRedelivery } from '#shared/webhooks/redelivery.ts';

/** Kept back to note what came of the last attempt, and to answer. */
const reserve = 5_000;

type Work =
  | EventBridgeEvent<string, Event>
  | { attempt: ScheduledAttempt }
  | { redelivery: Redelivery };

/**
 * Sends an event of the bus to the webhooks of its project, or does what a schedule says is due. What fails is tried
 * again as a whole by Lambda, twice, and is then a dead letter; what was sent is not sent again by that.
 */
export async function handler(work: Work, lambda: Context): Promise<void> {
  const budget = lambda.getRemainingTimeInMillis() - reserve;
  await inRequest(lambda.awsRequestId, budget, async ({ now, id }) => {
    try {
      await perform(work, lambda.invokedFunctionArn);
    } catch (cause) {
      const duration_ms = Date.now() - now.getTime();
      log({
        level: 'error',
        operation: 'webhooks.deliver',
        request_id: id,
        duration_ms,
        project_id: projectOf(work),
        cause,
      });
      throw cause;
    }
  });
}

function projectOf(work: Work): string {
  if ('attempt' in work) return work.attempt.project_id;
  return 'redelivery' in work ? work.redelivery.project_id : work.detail.project_id;
}

async function perform(work: Work, target: string): Promise<void> {
  if ('attempt' in work) return attemptScheduled(work.attempt, target);
  if ('redelivery' in work) return workRedelivery(work.redelivery, target);
  if (work.source !== eventSource) return;
  const event = work.detail;
  const webhooks = await listWebhooks(event.project_id);
  const wanting = webhooks.filter((webhook) => wants(webhook, event.type));
  // One that fails must not keep the others waiting, nor be forgotten for their sake.
  const done = await Promise.allSettled(
    wanting.map((webhook) => deliverEvent(webhook, event, target)),
  );
  const failed = done.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}
