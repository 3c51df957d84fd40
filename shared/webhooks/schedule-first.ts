import type { DeliveryId, DeliveryItem } from './deliveries.ts';
import { scheduleOnce } from './scheduler.ts';

/** An attempt that EventBridge Scheduler starts later. */
export type ScheduledAttempt = DeliveryId &
  Pick<DeliveryItem, 'round' | 'attempt'> & {
    /** True if the backend asked for this event alone: the receiver is called even while it is failing. */
    asked?: boolean;
  };

/**
 * Schedules the first attempt of a round that the redelivery of one event has started. A second call changes nothing, so
 * an attempt of the round before may make it too. The receiver is called even while it is failing: the backend asks for
 * one event to see whether it works again.
 *
 * @param at epoch milliseconds
 * @param target ARN of the function that makes the attempt
 */
export async function scheduleFirst(
  { project_id, webhook_id, event_id, round, redelivery_id }: DeliveryItem,
  at: number,
  target: string,
): Promise<void> {
  const first = { project_id, webhook_id, event_id, round, attempt: 1 };
  const attempt: ScheduledAttempt = { ...first, asked: true };
  await scheduleOnce(`${redelivery_id} ${event_id}`, at, { attempt }, target);
}
