/** An observation: the value was this, or may have become this, between these two moments. */
export type Known = {
  value: string;
  began: number;
  /** Infinity if it is unknown whether and when it was done. */
  ended: number;
  /** The request that shows it. */
  id: number;
};

/** A read that no order of the writes explains, and the observation that it contradicts. */
export type Stale = { read: Known; against: Known | undefined };

/**
 * One value with its writes and reads. Every order is possible in which an operation that ended before another began
 * comes first (linearizability).
 */
export class Register {
  /** Possible writes: acknowledged or with unknown outcome, but not rejected. */
  readonly writes: Known[] = [];
  /** Values that were certainly true at some moment: reads and acknowledged writes. */
  readonly certain: Known[] = [];

  /** Records an acknowledged write. */
  wrote(known: Known): void {
    this.writes.push(known);
    this.certain.push(known);
  }

  /** Records a write that may have happened from then on, until a moment. */
  mayWrite(known: Known, until = Infinity): void {
    this.writes.push({ ...known, ended: until });
  }

  read(known: Known): void {
    this.certain.push(known);
  }

  /** All contradictions: values that were observed although never written before, or already replaced. O(n log n). */
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

  /** Whether the value was certainly this during the whole interval. */
  held(value: string, from: number, to: number): boolean {
    let since = -Infinity;
    for (const known of this.certain)
      if (known.value === value && known.ended < from) since = Math.max(since, known.began);
    return (
      since > -Infinity &&
      this.writes.every((write) => write.value === value || write.ended < since || write.began > to)
    );
  }

  /** Whether the value may have been another one before that moment. */
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

/**
 * Finds, among the operations that ended before a given one began, the last begun with another value. Query in order of
 * `began`.
 */
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

  /** Keeps the latest operation, and the latest with another value. */
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
