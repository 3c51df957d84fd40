import type { Operation } from '../../shared/contract/api.ts';
import { aws, estimates, latencies } from './limits.ts';
import { type StreamLoad, timeOf } from './stream.ts';
import type { Request } from './workload.ts';

/** One function under load. */
export type FunctionLoad = {
  name: string;
  /** Invocations a second. */
  rate: number;
  /** Milliseconds of an invocation. */
  duration: number;
  /** MB. */
  memory: number;
};

export type LambdaLoad = {
  /** Instances that run at once, on average and in all but a thousandth of the time. */
  busy: number;
  peak: number;
  /** Part of the invocations that are refused because the account's instances are all in use. */
  throttled: number;
  /** Part of the invocations that start an instance. */
  cold: number;
  /** Seconds in which the function with most instances reaches them from none. */
  scaling: number;
  /** GB-seconds and invocations a second. */
  gigabyteSeconds: number;
  invocations: number;
};

const endpointMemory = 1_024;
const jobMemory = 512;

/** The functions of the endpoints and of the stream; `extra` milliseconds each request waits for the table. */
export function functionsAt(
  rate: number,
  requests: readonly Request[],
  stream: StreamLoad,
  extra = 0,
): FunctionLoad[] {
  const byName = Map.groupBy(requests, ({ name }) => name);
  const endpoints = [...byName].map(([name, some]): FunctionLoad => {
    const part = some.reduce((sum, each) => sum + each.part, 0);
    const waiting = some.reduce((sum, each) => sum + each.part * timeOf(each.demand), 0) / part;
    const duration = waiting + extra + computeOf(name);
    return { name, rate: rate * part, duration, memory: endpointMemory };
  });
  const { sorts, invocations, consumersBusy, events } = stream;
  const consuming = invocations === 0 ? 0 : (consumersBusy / invocations) * 1_000;
  return [
    ...endpoints,
    { name: 'stream.sort', rate: sorts, duration: latencies.sort, memory: jobMemory },
    { name: 'stream.consume', rate: invocations, duration: consuming, memory: jobMemory },
    {
      name: 'webhooks.deliver',
      rate: events,
      duration: latencies.read + latencies.compute,
      memory: jobMemory,
    },
  ];
}

const computeOf = (name: Operation): number =>
  latencies.compute + (name === 'passwords.signIn' ? latencies.password : 0);

/** The functions' share of the account's concurrency; each invocation occupies one instance. */
export function lambdaLoad(functions: readonly FunctionLoad[]): LambdaLoad {
  const { concurrency, scaling } = aws.lambda;
  const atOnce = functions.map(({ rate, duration }) => (rate * duration) / 1_000);
  const busy = atOnce.reduce((a, b) => a + b, 0);
  const throttled = Math.max(0, 1 - concurrency / Math.max(busy, 1));
  const invocations = functions.reduce((sum, { rate }) => sum + rate, 0);
  // An instance is removed after some idle time.
  const cold = functions.reduce(
    (sum, { rate }) => sum + rate * Math.exp(-rate * estimates.warm),
    0,
  );
  return {
    ...{ busy, invocations, throttled },
    peak: peakOf(busy),
    cold: invocations === 0 ? 0 : cold / invocations,
    scaling: (Math.max(0, ...atOnce.map(peakOf)) * scaling.seconds) / scaling.instances,
    // Rejected invocations are not billed.
    gigabyteSeconds:
      (1 - throttled) *
      functions.reduce(
        (sum, { rate, duration, memory }) =>
          sum + (rate * Math.ceil(duration) * memory) / 1_024 / 1_000,
        0,
      ),
  };
}

/** A Poisson number with this mean exceeds it once in a thousand times. */
const peakOf = (mean: number): number => Math.ceil(mean + 3.1 * Math.sqrt(mean));
