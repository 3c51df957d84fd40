import { catalogue } from '../faults/catalogue.ts';
import type { Choose } from '../faults/proxy.ts';
import { randomOf } from '../faults/random.ts';

/** The fraction kept of faults that wait for half a second; otherwise a run would mostly wait. */
const slowOnes = 0.25;

/** Operations of the service and of the stream reader. Setup and the final scan run without faults. */
const spoiled =
  /^(?:GetItem|Put|Update|Delete|BatchGet|BatchWrite|TransactWrite|Query|DescribeStream|GetShardIterator|GetRecords)/;
const follower = /^(?:DescribeStream|GetShardIterator|GetRecords)$/;

/**
 * Chooses by the seed which calls get which fault. `chooseForFollower` affects only reads of the stream, while the
 * remaining background work is processed.
 * @param rate the fraction of calls with a fault, 0 to 1.
 */
export function faultsOf(seed: number, rate: number) {
  const random = randomOf(seed);
  const counts: Record<string, number> = {};
  let calls = 0;
  let ofStream = 0;
  const choose: Choose = (call) => {
    if (!spoiled.test(call.operation)) return undefined;
    calls += 1;
    if (random() >= rate) return undefined;
    const possible = catalogue.filter(
      (each) => each.fits(call) && (!each.slow || random() < slowOnes),
    );
    const chosen = possible[Math.floor(random() * possible.length)];
    if (!chosen) return undefined;
    counts[chosen.name] = (counts[chosen.name] ?? 0) + 1;
    if (follower.test(call.operation)) ofStream += 1;
    return chosen.fault;
  };
  const chooseForFollower: Choose = (call) =>
    follower.test(call.operation) ? choose(call) : undefined;
  return { choose, chooseForFollower, counts, calls: () => calls, ofStream: () => ofStream };
}
