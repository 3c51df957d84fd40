import type { QueueSource } from '../../lib/domain.ts';
import { feedbackPattern } from '../../lib/domains/mail.ts';
import { type QueueFed, queueSources, subscribers } from '../../lib/functions.ts';
import { type Bus, startBus } from '../aws/eventbridge.ts';
import { matches } from '../aws/filter.ts';
import { functionOf, invoke, type Loader } from '../aws/lambda.ts';
import { type ScheduleStore, type Schedules, startSchedules } from '../aws/scheduler.ts';
import type { Outbox } from '../aws/ses.ts';
import { type Queues, startQueues } from '../aws/sqs.ts';
import { busName, configurationSet, scheduleGroup } from '../environment.ts';

type Options = {
  load: Loader;
  /** Its bounces and complaints are processed too. */
  outbox?: Outbox;
  /** How many events the bus keeps for display. */
  kept?: number;
  /** Whether due schedules run automatically. */
  running?: boolean;
  /** Keeps waiting schedules for the next process. */
  scheduleStore?: ScheduleStore;
  /** Maximum milliseconds before a failed message is retried. */
  longestPause?: number;
  /** Called with the error and the part in which it occurred. */
  onError?: (part: 'bus' | 'schedules' | 'queues', error: unknown) => void;
};

/** The local consumers of changes: the queues and the functions they feed, the bus, its subscribers, and schedules. */
export type EventConsumers = {
  queues: Queues;
  bus: Bus;
  schedules: Schedules;
  /** Starts the functions that the queues feed. Loads them, so the environment must be set. */
  work(): Promise<void>;
  /** Subscribes the functions that the bus invokes. Loads them too. */
  subscribe(): Promise<void>;
};

/** Starts the queues, the bus and the schedules, each with its own endpoint. */
export async function startEventConsumers({
  load,
  outbox,
  kept,
  running = false,
  scheduleStore,
  longestPause,
  onError,
}: Options): Promise<EventConsumers> {
  const queues = await startQueues({
    ...(longestPause !== undefined && { longestPause }),
    ...(onError && { onError: (error) => onError('queues', error) }),
  });
  const bus = await startBus({
    name: busName,
    ...(kept !== undefined && { kept }),
    ...(onError && { onError: (error) => onError('bus', error) }),
  });
  const schedules = await startSchedules({
    group: scheduleGroup,
    running,
    ...(scheduleStore && { store: scheduleStore }),
    invoke: async (target, input) => {
      const name = functionOf(target);
      return invoke(name, await load(name), input);
    },
    ...(onError && { onError: (error) => onError('schedules', error) }),
  });
  return {
    queues,
    bus,
    schedules,
    async work() {
      for (const [name, { queue, retention }] of Object.entries(queueSources) as [
        QueueFed,
        QueueSource,
      ][]) {
        const handler = await load(name);
        queues.feed(queue, (event) => invoke(name, handler, event), retention);
      }
    },
    async subscribe() {
      for (const name of subscribers) {
        const handler = await load(name);
        bus.subscribe((envelope) => invoke(name, handler, envelope));
      }
      const name = 'mail.recordFeedback';
      const pattern = feedbackPattern(configurationSet);
      const handler = await load(name);
      outbox?.subscribe(async (event) =>
        matches(pattern, event) ? invoke(name, handler, event) : undefined,
      );
    },
  };
}
