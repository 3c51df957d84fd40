import { catalogue } from '../faults/catalogue.ts';
import type { Choose } from '../faults/proxy.ts';
import { randomOf } from '../faults/random.ts';

/** Of the faults that take half a second of nothing, so many are left: else a run would mostly wait. */
const slowOnes = 0.25;

/** What only the service does; whoever feeds the stream is no part of it. */
const service = /^(?:Get|Put|Update|Delete|BatchGet|BatchWrite|TransactWrite|Query)/;

/**
 * Chooses by the seed which calls meet a fault, and which.
 * @param rate the share of the calls, 0 to 1.
 */
export function faultsOf(seed: number, rate: number) {
  const random = randomOf(seed);
  const counts: Record<string, number> = {};
  let calls = 0;
  const choose: Choose = (call) => {
    if (!service.test(call.operation)) return undefined;
    calls += 1;
    if (random() >= rate) return undefined;
    const possible = catalogue.filter(
      (each) => each.fits(call) && (!each.slow || random() < slowOnes),
    );
    const chosen = possible[Math.floor(random() * possible.length)];
    if (!chosen) return undefined;
    counts[chosen.name] = (counts[chosen.name] ?? 0) + 1;
    return chosen.fault;
  };
  return { choose, counts, calls: () => calls };
}
