import { catalogue } from '../faults/catalogue.ts';
import type { Choose } from '../faults/proxy.ts';
import { randomOf } from '../faults/random.ts';

/** Of the faults that take half a second of nothing, so many are left: else a run would mostly wait. */
const slowOnes = 0.25;

/** What the service does, and whoever feeds it the stream. Starting and looking at the end go without faults. */
const spoiled =
  /^(?:GetItem|Put|Update|Delete|BatchGet|BatchWrite|TransactWrite|Query|DescribeStream|GetShardIterator|GetRecords)/;
const follower = /^(?:DescribeStream|GetShardIterator|GetRecords)$/;

/**
 * Chooses by the seed which calls meet a fault, and which. `chooseForFollower` spoils only those that follow the
 * stream: with it, all that follows from what was done is to be worked off.
 * @param rate the share of the calls, 0 to 1.
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
