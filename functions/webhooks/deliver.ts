import type { EventBridgeEvent } from 'aws-lambda';
import { job } from '#shared/http/job.ts';
import { type Event, eventSource } from '#shared/model/events.ts';
import { attemptScheduled, deliver, subscribesTo } from '#shared/webhooks/deliver.ts';
import type { Redelivery } from '#shared/webhooks/redeliver.ts';
import { workRedelivery } from '#shared/webhooks/redeliver-range.ts';
import type { ScheduledAttempt } from '#shared/webhooks/schedule-first.ts';
import { listWebhooks } from '#shared/webhooks/webhooks.ts';

type Work =
  | EventBridgeEvent<string, Event>
  | { attempt: ScheduledAttempt }
  | { redelivery: Redelivery };

/**
 * Sends an event of the bus to the webhooks of its project, or performs a scheduled task. Lambda retries a failed
 * invocation twice, then it becomes a dead letter; completed deliveries are not repeated.
 */
export const handler = job(
  'webhooks.deliver',
  // Time to record the result of the last attempt, and to return.
  { reserve: 5_000, about: (work: Work) => ({ project_id: projectOf(work) }) },
  (work, { lambda }) => perform(work, lambda.invokedFunctionArn),
);

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
  const wanting = webhooks.filter((webhook) => subscribesTo(webhook, event.type));
  // Send to all webhooks: one that fails must neither delay the others nor be lost because of them.
  const done = await Promise.allSettled(wanting.map((webhook) => deliver(webhook, event, target)));
  const failed = done.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}
