/** How tests let the calls to a stand-in of an AWS service fail. */
export type Failing<Fault> = {
  /** Makes the next calls fail. */
  failNext(fault: Fault, calls?: number): void;
  /** Lets them succeed again. */
  failNoMore(): void;
};

/** The faults that the next calls meet, in this order. */
export function failures<Fault>() {
  const faults: Fault[] = [];
  const failing: Failing<Fault> = {
    failNext: (fault, calls = 1) => void faults.push(...Array<Fault>(calls).fill(fault)),
    failNoMore: () => void (faults.length = 0),
  };
  return { failing, nextFault: () => faults.shift() };
}
