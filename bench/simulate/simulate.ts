import { randomOf } from '../../test/faults/random.ts';
import { quantile } from '../report.ts';
import { type Costs, monthly, tracesOf, unitsAt } from './costs.ts';
import { type Heats, heatOf, largestAt } from './heat.ts';
import { functionsAt, type LambdaLoad, lambdaLoad } from './lambda.ts';
import { asDeployed, type Setup } from './limits.ts';
import { delaysOf } from './queueing.ts';
import { quotasOf, type Resource, resourcesOf } from './resources.ts';
import { usesAt } from './slots.ts';
import { type StreamLoad, streamAt } from './stream.ts';
import { requests } from './workload.ts';

export type Result = {
  rate: number;
  /** The fullest first. */
  resources: Resource[];
  /**
   * The 99th percentile of the milliseconds that requests wait for throttled units and conflicting transactions: of all
   * requests, and of those of the largest user in the largest workspace.
   */
  queueing: { all: number; largest: number };
  /** Part of the units that were refused, in the first hour of a new table and in its last ten minutes. */
  throttled: { firstHour: number; settled: number };
  partitions: number;
  stream: StreamLoad;
  lambda: LambdaLoad;
  costs: Costs;
};

const hour = 3_600;
const settling = 3_000;

/** Simulates an hour of a new deployment under a rate of requests a second. The same seed gives the same result. */
export function simulate(rate: number, setup: Setup = asDeployed, seed = 1): Result {
  const largest = largestAt(rate, setup.feedShards);
  const heats = heatOf(usesAt(rate, requests), largest, { seed, quota: setup.tableQuota });
  const throttled = runHour(heats, randomOf(seed));
  const partitions = heats.table.parts.length;
  const stream = streamAt(rate, requests, partitions, setup);
  const refused = Math.max(0, ...quotasOf(heats, setup).map(({ used }) => 1 - 1 / used));
  const random = randomOf(seed);
  const delays = delaysOf({ ...heats, largest, refused }, 'all', random);
  const ofLargest = delaysOf({ ...heats, largest, refused }, 'largest', random);
  const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
  const functions = functionsAt(rate, requests, stream, mean);
  const lambda = lambdaLoad(functions);
  const units = unitsAt(rate, requests);
  return {
    ...{ rate, partitions, throttled, stream, lambda },
    resources: resourcesOf({ rate, heats, stream, lambda, setup }),
    queueing: { all: quantile(delays, 0.99), largest: quantile(ofLargest, 0.99) },
    costs: monthly({ requests: rate, ...units, lambda, stream, traces: tracesOf(functions) }),
  };
}

/** Lets the partitions serve an hour; returns the parts of the units that they refused. */
function runHour({ table, indexes }: Heats, random: () => number): Result['throttled'] {
  const counts = () => {
    const total = (of: 'offered' | 'failed') =>
      [table, ...indexes].reduce((sum, each) => sum + each[of].read + each[of].write, 0);
    return { offered: total('offered'), failed: total('failed') };
  };
  const step = () => {
    // A second has between half and one and a half of the mean.
    const factor = 0.5 + random();
    for (const index of indexes) index.step(factor);
    table.step(factor);
  };
  for (let second = 0; second < settling; second += 1) step();
  const before = counts();
  for (let second = settling; second < hour; second += 1) step();
  const after = counts();
  return {
    firstHour: after.failed / after.offered,
    settled: (after.failed - before.failed) / (after.offered - before.offered),
  };
}

/**
 * The highest rate of requests a second, to two digits, at which nothing is above its limit, and the next bottleneck.
 */
export function highestRate(setup: Setup, seed = 1): { rate: number; next: Resource } {
  let [low, high] = [100, 20_000];
  while (high / low > 1.02) {
    const middle = Math.sqrt(low * high);
    const [fullest] = simulate(middle, setup, seed).resources;
    if ((fullest?.used ?? 0) > 1) high = middle;
    else low = middle;
  }
  const [next] = simulate(high, setup, seed).resources;
  return { rate: Number(low.toPrecision(2)), next: next as Resource };
}
