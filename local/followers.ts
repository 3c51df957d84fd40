import { feedbackPattern, subscribers } from '../lib/subscribers.ts';
import { type Bus, startBus } from './bus.ts';
import { busName, configurationSet, scheduleGroup } from './environment.ts';
import { matches } from './filter.ts';
import { functionOf, invoke, type Loader, timeouts } from './lambda.ts';
import type { Outbox } from './outbox.ts';
import { type Schedules, startSchedules } from './schedules.ts';

type Options = {
  load: Loader;
  /** What comes back from it is followed too. */
  outbox?: Outbox;
  /** How many events the bus keeps to show. */
  kept?: number;
  /** Whether schedules run by themselves. */
  running?: boolean;
  /** Told with the part in which it happened. */
  onError?: (part: 'bus' | 'schedules', error: unknown) => void;
};

/** What follows an event on this machine: the bus, its subscribers, and the schedules that they make. */
export type Followers = {
  bus: Bus;
  schedules: Schedules;
  /** Lets the functions that the bus invokes have every event from now on; loads them, so the environment must be set. */
  subscribe(): Promise<void>;
};

/** Starts the bus and the schedules, each at an endpoint of its own. */
export async function startFollowers({
  load,
  outbox,
  kept,
  running = false,
  onError,
}: Options): Promise<Followers> {
  const bus = await startBus({
    name: busName,
    ...(kept !== undefined && { kept }),
    ...(onError && { onError: (error) => onError('bus', error) }),
  });
  const schedules = await startSchedules({
    group: scheduleGroup,
    running,
    invoke: async (target, input) => {
      const name = functionOf(target);
      return invoke(name, await load(name), input, timeouts['webhooks.deliver']);
    },
    ...(onError && { onError: (error) => onError('schedules', error) }),
  });
  return {
    bus,
    schedules,
    async subscribe() {
      for (const name of subscribers) {
        const handler = await load(name);
        bus.subscribe((envelope) => invoke(name, handler, envelope, timeouts[name]));
      }
      const name = 'mail.recordFeedback';
      const pattern = feedbackPattern(configurationSet);
      const handler = await load(name);
      outbox?.subscribe(async (event) =>
        matches(pattern, event) ? invoke(name, handler, event, timeouts[name]) : undefined,
      );
    },
  };
}
