/** Something that is known of a value: between these two moments it was so, or may have become so. */
export type Known = {
  value: string;
  began: number;
  /** Infinity where nobody knows whether, and when, it was done. */
  ended: number;
  /** The request that tells it. */
  id: number;
};

/** A read that no order of the writes explains, and what it contradicts. */
export type Stale = { read: Known; against: Known | undefined };

/**
 * One value with its writes and reads, for which every order is possible that keeps to the clock: what ended before
 * something else began came before it.
 */
export class Register {
  /** What may have been written: acknowledged, or nobody knows. A refused write is none. */
  readonly writes: Known[] = [];
  /** What was certainly so at some moment: what was read, and what was acknowledged. */
  readonly certain: Known[] = [];

  /** What was acknowledged. */
  wrote(known: Known): void {
    this.writes.push(known);
    this.certain.push(known);
  }

  /** What may have been written at any time from then on, or in the meantime. */
  mayWrite(known: Known, until = Infinity): void {
    this.writes.push({ ...known, ended: until });
  }

  read(known: Known): void {
    this.certain.push(known);
  }

  /**
   * Everything that was certainly so and yet cannot have been: a value that nobody wrote before, or one that had been
   * replaced by another for good. O(n log n).
   */
  stale(): Stale[] {
    const latest = new Map<string, Steps>();
    for (const write of this.writes.toSorted((a, b) => a.began - b.began)) {
      const steps = latest.get(write.value) ?? new Steps();
      latest.set(write.value, steps);
      steps.add(write.began, write.ended, write);
    }
    const others = new Others(this.certain);
    return this.certain
      .toSorted((a, b) => a.began - b.began)
      .flatMap((read): Stale[] => {
        const write = latest.get(read.value)?.upTo(read.ended);
        if (!write) return [{ read, against: undefined }];
        const against = others.before(read);
        return against && against.began > write.ended ? [{ read, against }] : [];
      });
  }

  /** Whether the value was this all the time from one moment to another, for certain. */
  held(value: string, from: number, to: number): boolean {
    let since = -Infinity;
    for (const known of this.certain)
      if (known.value === value && known.ended < from) since = Math.max(since, known.began);
    return (
      since > -Infinity &&
      this.writes.every((write) => write.value === value || write.ended < since || write.began > to)
    );
  }

  /** Whether it may have been something else than this before that moment. */
  mayHaveBeen(value: string, before: number): boolean {
    return this.writes.some((write) => write.value === value && write.began < before);
  }
}

/** The write with the latest end among those that began before a moment. */
class Steps {
  private readonly began: number[] = [];
  private readonly best: (Known & { ended: number })[] = [];

  add(began: number, ended: number, known: Known): void {
    const last = this.best.at(-1);
    this.began.push(began);
    this.best.push(last && last.ended >= ended ? last : known);
  }

  upTo(moment: number): Known | undefined {
    let low = 0;
    for (let high = this.began.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((this.began[middle] ?? Infinity) <= moment) low = middle + 1;
      else high = middle;
    }
    return this.best[low - 1];
  }
}

/** Of all that ended before something began, what began last with another value. Asked in the order of `began`. */
class Others {
  private readonly byEnd: readonly Known[];
  private next = 0;
  private first: Known | undefined;
  private second: Known | undefined;

  constructor(certain: readonly Known[]) {
    this.byEnd = certain.toSorted((a, b) => a.ended - b.ended);
  }

  before(read: Known): Known | undefined {
    for (;;) {
      const known = this.byEnd[this.next];
      if (!known || known.ended >= read.began) break;
      this.take(known);
      this.next += 1;
    }
    return this.first?.value === read.value ? this.second : this.first;
  }

  /** Keeps the latest, and the latest with another value than that. */
  private take(known: Known): void {
    if (!this.first || known.began > this.first.began) {
      if (this.first && this.first.value !== known.value) this.second = this.first;
      this.first = known;
    } else if (
      known.value !== this.first.value &&
      (!this.second || known.began > this.second.began)
    )
      this.second = known;
  }
}
