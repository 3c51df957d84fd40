import type { FunctionLoad, LambdaLoad } from './lambda.ts';
import { gigabyteSecond, idle, logs, prices } from './prices.ts';
import type { StreamLoad } from './stream.ts';
import type { Request } from './workload.ts';

/** Seconds of a month of 30 days. */
const month = 30 * 86_400;

/** The billed quantities of one second. */
export type Billed = {
  requests: number;
  read: number;
  write: number;
  lambda: Pick<LambdaLoad, 'gigabyteSeconds' | 'invocations'>;
  stream: Pick<StreamLoad, 'messages' | 'events'>;
  traces: number;
};

/** Dollars a month by service, without storage, backups and mails. */
export type Costs = Record<
  'dynamodb' | 'gateway' | 'lambda' | 'queue' | 'bus' | 'logs' | 'traces' | 'idle',
  number
>;

/** Read and write units a second of requests and of the work that follows from them. */
export function unitsAt(rate: number, requests: readonly Request[]) {
  const total = (unit: 'read' | 'write') =>
    requests.reduce((sum, { part, demand, afterwards }) => {
      const each = [demand, ...afterwards].reduce((units, part_) => units + part_[unit], 0);
      return sum + rate * part * each;
    }, 0);
  return { read: total('read'), write: total('write') };
}

/** X-Ray traces a second: of each function the first invocation of a second, and 5 % of the others. */
export const tracesOf = (functions: readonly FunctionLoad[]): number =>
  functions.reduce((sum, { rate }) => {
    const first = 1 - Math.exp(-rate);
    return sum + first + 0.05 * (rate - first);
  }, 0);

export function monthly({ requests, read, write, lambda, stream, traces }: Billed): Costs {
  const millions = (perSecond: number, price: number) => (perSecond * month * price) / 1e6;
  return {
    dynamodb: millions(read, prices.read) + millions(write, prices.write),
    gateway: millions(requests, prices.request),
    lambda:
      millions(lambda.invocations, prices.invocation) +
      lambda.gigabyteSeconds * month * gigabyteSecond,
    queue: millions(stream.messages, 3 * prices.queueCall),
    bus: millions(stream.events, prices.event),
    logs: (requests * month * logs.perRequest * logs.gigabyte) / 1e6,
    traces: millions(traces, prices.trace),
    idle,
  };
}

export const totalOf = (costs: Costs): number => Object.values(costs).reduce((a, b) => a + b, 0);
