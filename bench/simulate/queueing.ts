import type { Touch } from './demand.ts';
import { type Heats, type HotItem, hotKey, type Shares } from './heat.ts';
import { deadline, latencies } from './limits.ts';
import { slotOf } from './slots.ts';
import { requests } from './workload.ts';

const samples = 10_000;
const milliseconds = deadline * 1_000;

/** The calls of each kind of request by round trip, with the place of their items. */
const calls = requests.map(({ demand, logOwner }) =>
  demand.rounds.map((touches) =>
    touches.map((touch) => ({ touch, place: slotOf(touch, logOwner) })),
  ),
);

/** The causes of waits. */
export type Queues = Heats & {
  largest: readonly Shares[];
  /** Part of the units that the table's quota refuses. */
  refused: number;
};

/**
 * Milliseconds that requests wait for throttled partitions and for conflicts of transactions on one item, in a sample
 * of requests at random. A request that waits longer than its deadline fails.
 *
 * @param among `all` requests, or only those of the largest workspace of the largest project and its largest user
 */
export function delaysOf(queues: Queues, among: 'all' | 'largest', random: () => number): number[] {
  const bounds = queues.largest.map(({ user, workspace, ofAll }) => ({
    ofAll,
    ...{ user: cumulated(user), workspace: cumulated(workspace), project: [1], feed: [1] },
  }));
  const projects = cumulated(bounds.map(({ ofAll }) => ofAll));
  const kinds = cumulated(requests.map(({ part }) => part));

  return Array.from({ length: samples }, () => {
    const rounds = calls[Math.min(drawn(kinds, random), calls.length - 1)] ?? [];
    const project = among === 'largest' ? 0 : drawn(projects, random);
    const owners = bounds[project];
    const rank = (owner: keyof Shares & ('user' | 'workspace')) =>
      among === 'largest' ? 0 : drawn(owners?.[owner] ?? [], random);
    const ranks = { user: rank('user'), workspace: rank('workspace'), project: 0, feed: 0 };
    if (random() < queues.refused) return milliseconds;
    if (!owners) return 0;
    const waits = rounds.map((touches) =>
      touches.map(({ touch, place }) => {
        const item = queues.hot.get(hotKey(place, project, ranks[place.owner]));
        return item ? waitOf(queues, item, touch, random) : 0;
      }),
    );
    const total = waits.reduce((sum, each) => sum + Math.max(0, ...each), 0);
    return Math.min(milliseconds, total);
  });
}

function waitOf(
  { table }: Queues,
  item: HotItem,
  { verb, transaction }: Touch,
  random: () => number,
): number {
  const reads = verb === 'get' || verb === 'page';
  const wait = table.waitOf(item, reads ? 'read' : 'write') * 1_000;
  if (!transaction) return wait;
  // One transaction at a time; another one is tried again.
  const busy = (item.transactions * latencies.transaction) / 1_000;
  if (busy >= 1) return milliseconds;
  if (random() >= busy) return wait;
  return wait - Math.log(1 - random()) * (latencies.transaction / (1 - busy));
}

function cumulated(shares: readonly number[]): number[] {
  let sum = 0;
  return shares.map((share) => (sum += share));
}

/** The rank of a random draw; the number of ranks if it falls on none of them. */
function drawn(bounds: readonly number[], random: () => number): number {
  const draw = random();
  const found = bounds.findIndex((bound) => draw < bound);
  return found === -1 ? bounds.length : found;
}
