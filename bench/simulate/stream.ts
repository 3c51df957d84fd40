import type { Demand } from './demand.ts';
import { aws, deployed, latencies, type Setup } from './limits.ts';
import { exponents, populationAt, type Request } from './workload.ts';
import { zipfShares } from './zipf.ts';

/** Milliseconds of the round trips of a demand, one after another. */
export const timeOf = ({ rounds }: Demand): number =>
  rounds.reduce((total, touches) => {
    const times = touches.map(({ verb, transaction }) => {
      if (transaction) return latencies.transaction;
      return verb === 'get' || verb === 'page' ? latencies.read : latencies.put;
    });
    return total + Math.max(0, ...times);
  }, 0);

export type StreamLoad = {
  /** A second, of all projects. */
  records: number;
  events: number;
  messages: number;
  sorts: number;
  /** Invocations of stream.consume a second, and how many run at once. */
  invocations: number;
  consumersBusy: number;
  /** The feed of the largest project, or of its largest part. */
  largest: {
    events: number;
    /** Events a second above which it never catches up. */
    capacity: number;
    /** Fraction of the time in which its message group is being processed. */
    busy: number;
    /** 99 % of its messages wait less than so many milliseconds; infinite if it falls behind. */
    wait: number;
  };
};

/**
 * Load of the functions of the stream, by rates a second and means; `shards` is one for each partition of the table.
 */
export function streamAt(
  rate: number,
  requests: readonly Request[],
  shards: number,
  setup: Setup,
): StreamLoad {
  const sum = (of: (request: Request) => number) =>
    rate * requests.reduce((total, request) => total + request.part * of(request), 0);
  const records = sum((request) => request.records);
  const events = sum((request) => request.events);
  // Records of one change and partition key arrive together.
  const together = records / sum(({ groups }) => groups);
  const follow =
    sum(({ afterwards, events: own }) =>
      // The first two record the event and look up webhooks.
      afterwards.slice(own ? 2 : 0).reduce((total, each) => total + timeOf(each), 0),
    ) / records;
  const lanes = shards * deployed.sortsPerShard;
  const perSort = Math.min(
    deployed.sortBatch,
    Math.max(together, (records / lanes) * (aws.poll / 1_000)),
  );

  /** One message group with this part of all records. */
  const group = (part: number) => {
    const size = Math.min(deployed.recordsOfMessage, together + (perSort - together) * part);
    const arriving = (records * part) / size;
    const timeFor = (messages: number) => {
      const eventsIn = (messages * size * events) / records;
      const trips = Math.max(Math.min(1, eventsIn), eventsIn / deployed.eventsOfTransaction);
      const sideBySide = Math.max(1, (messages * size) / deployed.sideBySide);
      const recording = latencies.read + latencies.publish + latencies.transaction;
      return latencies.queue + trips * recording + sideBySide * follow;
    };
    const busyWith = (messages: number) => (arriving / messages) * (timeFor(messages) / 1_000);
    let taken = 1;
    while (taken < setup.messages && busyWith(taken) > 0.5) taken += 1;
    const busy = busyWith(taken);
    return { arriving, invocations: arriving / taken, busy, time: timeFor(taken) };
  };

  const shares = zipfShares(populationAt(rate).projects, exponents.projects, 50);
  const parts = shares.flatMap((share) =>
    Array<number>(setup.feedShards).fill(share / setup.feedShards),
  );
  const groups = parts.map(group);
  // The other projects have a message occasionally.
  const rest = Math.max(0, 1 - shares.reduce((a, b) => a + b, 0));
  const others = group(1e-9);
  const messagesOfOthers = (records * rest) / together;
  const [first = others] = groups;
  const ownEvents = events * (parts[0] ?? 0);
  const busyOf = (all: readonly { busy: number }[]) =>
    all.reduce((total, { busy }) => total + Math.min(1, busy), 0);
  const total = (of: (each: (typeof groups)[number]) => number) =>
    groups.reduce((all, each) => all + of(each), 0);
  return {
    ...{ records, events },
    sorts: (records + sum(({ dropped }) => dropped)) / perSort,
    messages: total(({ arriving }) => arriving) + messagesOfOthers,
    invocations: total(({ invocations }) => invocations) + messagesOfOthers,
    consumersBusy: busyOf(groups) + (messagesOfOthers * others.time) / 1_000,
    largest: {
      events: ownEvents,
      capacity: ownEvents / first.busy,
      busy: first.busy,
      wait: tailOf(first.busy, first.time),
    },
  };
}

/**
 * The wait in milliseconds that 99 % stay below, in a queue with one server, random arrivals and random service times
 * (M/M/1): the probability of a longer wait than t is busy * e^(-(1 - busy) * t / service).
 */
export function tailOf(busy: number, service: number): number {
  if (busy >= 1) return Number.POSITIVE_INFINITY;
  return busy <= 0.01 ? 0 : (service / (1 - busy)) * Math.log(100 * busy);
}
