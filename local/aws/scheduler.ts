import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { type Failing, failures } from '../injected-failures.ts';
import { type Answered, refusal, serveJson } from '../loopback.ts';

/** A one-time schedule that is not due yet. */
export type Schedule = {
  name: string;
  group: string;
  /** Epoch milliseconds. */
  at: number;
  /** ARN of the function. */
  target: string;
  input: unknown;
  /** Number of failed invocations. */
  failures: number;
};

/** Stores waiting schedules for the next process. */
export type ScheduleStore = {
  /** Called before every other method. */
  read(): Promise<Schedule[]>;
  put(schedule: Schedule): Promise<void>;
  remove(name: string): Promise<void>;
};

/**
 * A simulated failure of a call, before or after it took effect; in the second case the caller cannot know the outcome.
 */
export type ScheduleFault = { status: number; code: string } | 'lose';

export type Schedules = Failing<ScheduleFault> & {
  endpoint: string;
  /** The waiting schedules, next first. */
  waiting(): Schedule[];
  /**
   * Invokes all schedules due by then, sequentially, including those that they create. Resolves with their number.
   * @param until epoch milliseconds; now by default
   */
  runDue(until?: number): Promise<number>;
  /** Resumes the stored schedules of an earlier process; those that became due meanwhile run at once. */
  resume(): Promise<void>;
  /** Deletes all waiting schedules, but not from the store. */
  clear(): void;
  close(): Promise<void>;
};

export type SchedulesOptions = {
  group: string;
  invoke: (target: string, input: unknown) => Promise<unknown>;
  /** Whether due schedules run automatically. */
  running?: boolean;
  /** Stores each schedule until it has run, so that it runs at least once; by default they are only in memory. */
  store?: ScheduleStore;
  onError?: (error: unknown) => void;
};

/** Lambda retries a failed asynchronous invocation twice, after one and then two minutes. */
const retries = [60_000, 120_000];
/** Maximum milliseconds of a timer, because timers stop while the machine sleeps. */
const longestTimer = 60_000;

/** The subset of CreateSchedule that the service uses; anything else fails here, so that it is noticed. */
const request = z.strictObject({
  ClientToken: z.string(),
  GroupName: z.string(),
  ScheduleExpression: z.string().regex(/^at\(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\)$/),
  ScheduleExpressionTimezone: z.literal('UTC'),
  FlexibleTimeWindow: z.strictObject({ Mode: z.literal('OFF') }),
  ActionAfterCompletion: z.literal('DELETE'),
  Target: z.strictObject({
    Arn: z.string(),
    RoleArn: z.string(),
    Input: z.string(),
    DeadLetterConfig: z.strictObject({ Arn: z.string() }),
    RetryPolicy: z.strictObject({
      MaximumRetryAttempts: z.int().min(0).max(185),
      MaximumEventAgeInSeconds: z.int().min(60).max(86_400),
    }),
  }),
});

const inMemory: ScheduleStore = {
  read: () => Promise.resolve([]),
  put: () => Promise.resolve(),
  remove: () => Promise.resolve(),
};

/** Serves CreateSchedule with the protocol of EventBridge Scheduler on a free loopback port. */
export async function startSchedules(options: SchedulesOptions): Promise<Schedules> {
  const { store = inMemory } = options;
  const schedules = new Map<string, Schedule>();
  let closed = false;
  const { failing, nextFault } = failures<ScheduleFault>();

  async function answer(incoming: IncomingMessage, body: string): Promise<Answered> {
    const [, name] = /^\/schedules\/([\w.-]{1,64})$/.exec(incoming.url ?? '') ?? [];
    if (incoming.method !== 'POST' || name === undefined)
      return refusal(404, 'ResourceNotFoundException', `No ${incoming.url} here.`);
    const fault = nextFault();
    if (typeof fault === 'object') return refusal(fault.status, fault.code, 'An injected fault.');
    const { data, error } = request.safeParse(JSON.parse(body));
    if (!data) return refusal(400, 'ValidationException', z.prettifyError(error));
    if (data.GroupName !== options.group)
      return refusal(404, 'ResourceNotFoundException', `No group ${data.GroupName}.`);
    const at = Date.parse(`${data.ScheduleExpression.slice(3, -1)}Z`);
    if (at < Date.now()) return refusal(400, 'ValidationException', 'The time is in the past.');
    if (schedules.has(name))
      return refusal(409, 'ConflictException', `There is a schedule ${name}.`);
    const schedule: Schedule = {
      name,
      group: data.GroupName,
      at,
      target: data.Target.Arn,
      input: JSON.parse(data.Target.Input),
      failures: 0,
    };
    // Stored before any response confirms it, such as the 409 to a concurrent duplicate of the request.
    await store.put(schedule);
    schedules.set(name, schedule);
    arm();
    const ScheduleArn = `arn:aws:scheduler:local:000000000000:${name}`;
    return fault === 'lose' ? fault : { status: 200, body: { ScheduleArn } };
  }

  const waiting = () => [...schedules.values()].sort((a, b) => a.at - b.at);

  async function runDue(until = Date.now()): Promise<number> {
    for (let run = 0; ; run += 1) {
      const [next] = waiting();
      if (closed || !next || next.at > until) return run;
      // Deleted before it runs, as after its completion, so that schedules it creates may reuse the name.
      schedules.delete(next.name);
      const again = await invoke(next);
      if (again) schedules.set(again.name, again);
      const kept = schedules.get(next.name);
      await (kept ? store.put(kept) : store.remove(next.name)).catch((error: unknown) =>
        options.onError?.(error),
      );
    }
  }

  /** Returns the next attempt, if it failed and there is one. */
  async function invoke(schedule: Schedule): Promise<Schedule | undefined> {
    const { target, input, at, failures: before } = schedule;
    try {
      await options.invoke(target, input);
    } catch (error) {
      options.onError?.(error);
      const wait = retries[before];
      if (wait !== undefined)
        return { ...schedule, at: Math.max(at, Date.now()) + wait, failures: before + 1 };
    }
    return undefined;
  }

  let ticking = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  /** Sets the timer for the next schedule. */
  function arm(): void {
    const [next] = waiting();
    clearTimeout(timer);
    if (!options.running || !next) return;
    timer = setTimeout(tick, Math.min(Math.max(0, next.at - Date.now()), longestTimer));
    timer.unref();
  }
  function tick(): void {
    ticking = ticking.then(async () => {
      await runDue();
      arm();
    });
  }

  const server = await serveJson('application/json', answer);
  return {
    endpoint: server.endpoint,
    waiting,
    runDue,
    async resume() {
      for (const schedule of await store.read()) schedules.set(schedule.name, schedule);
      arm();
    },
    clear: () => schedules.clear(),
    ...failing,
    async close() {
      closed = true;
      server.close();
      await ticking;
      clearTimeout(timer);
    },
  };
}
