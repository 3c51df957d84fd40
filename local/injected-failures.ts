/** Lets tests make calls to an emulated AWS service fail. */
export type Failing<Fault> = {
  /** Makes the next calls fail. */
  failNext(fault: Fault, calls?: number): void;
  /** Lets them succeed again. */
  failNoMore(): void;
};

/** The faults of the next calls, in this order. */
export function failures<Fault>() {
  const faults: Fault[] = [];
  const failing: Failing<Fault> = {
    failNext: (fault, calls = 1) => void faults.push(...Array<Fault>(calls).fill(fault)),
    failNoMore: () => void (faults.length = 0),
  };
  return { failing, nextFault: () => faults.shift() };
}
