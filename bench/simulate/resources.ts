import type { Heats, HotItem } from './heat.ts';
import type { LambdaLoad } from './lambda.ts';
import { aws, deployed, latencies, type Setup } from './limits.ts';
import type { Partitions } from './partitions.ts';
import type { StreamLoad } from './stream.ts';
import { requests } from './workload.ts';

/** Something with a limit, and the part of the limit that is used; above 1 it throttles or falls behind. */
export type Resource = {
  name: string;
  used: number;
  /** The fullest item, where each has the limit. */
  item?: string | undefined;
};

/** The units that the table and its indexes may serve in a second. */
export function quotasOf({ table, indexes }: Heats, { tableQuota }: Setup): Resource[] {
  const used = ({ load }: Partitions, unit: 'read' | 'write') => load[unit] / tableQuota;
  return [
    { name: 'write units of the table', used: used(table, 'write') },
    { name: 'read units of the table', used: used(table, 'read') },
    {
      name: 'write units of an index',
      used: Math.max(...indexes.map((index) => used(index, 'write'))),
    },
  ];
}

/** Everything with a limit, the fullest first. */
export function resourcesOf(load: {
  rate: number;
  heats: Heats;
  stream: StreamLoad;
  lambda: LambdaLoad;
  setup: Setup;
}): Resource[] {
  const { rate, heats, stream, lambda, setup } = load;
  const items = [...heats.hot.values()];
  const fullest = (name: string, used: (item: HotItem) => number): Resource => {
    const [first] = items.toSorted((a, b) => used(b) - used(a));
    if (!first) throw new Error('There is no item.');
    return { name, used: used(first), item: first.name };
  };
  return [
    { name: 'message group of the largest project', used: stream.largest.busy },
    { name: 'invocations of stream.consume', used: stream.consumersBusy / setup.consumers },
    fullest('transactions of an item', (item) => (item.transactions * latencies.transaction) / 1e3),
    fullest('write units of an item', ({ write }) => write / aws.partition.write),
    fullest('read units of an item', ({ read }) => read / aws.partition.read),
    ...quotasOf(heats, setup),
    { name: 'functions of the account', used: lambda.peak / aws.lambda.concurrency },
    { name: 'requests of the account', used: rate / aws.requests },
    { name: 'requests of a route', used: (rate * partOfBusiestRoute()) / deployed.routeRate },
  ].toSorted((a, b) => b.used - a.used);
}

function partOfBusiestRoute(): number {
  const routes = Map.groupBy(requests, ({ name }) => name).values();
  return Math.max(...[...routes].map((some) => some.reduce((sum, { part }) => sum + part, 0)));
}
