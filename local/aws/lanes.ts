/**
 * Processes items sequentially within a lane and lanes in parallel. Items that wait in the same lane are processed in
 * batches.
 */
export class Lanes<T> {
  private readonly lanes = new Map<string, { each: T; end: (done: boolean) => void }[]>();
  private readonly resting: (() => void)[] = [];
  private readonly batchSize: number;
  private readonly work: (some: T[]) => Promise<boolean>;

  /**
   * @param batchSize maximum items of a batch.
   * @param work resolves with whether they are done. If not, the later items of their lane are not processed. Must not
   * reject.
   */
  constructor(batchSize: number, work: (some: T[]) => Promise<boolean>) {
    this.batchSize = batchSize;
    this.work = work;
  }

  get idle(): boolean {
    return this.lanes.size === 0;
  }

  /** Resolves when nothing is waiting or in progress. */
  async rest(): Promise<void> {
    if (this.idle) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.resting.push(resolve);
    await promise;
  }

  /** Resolves with whether this item was processed. */
  put(lane: string, each: T): Promise<boolean> {
    const { promise, resolve: end } = Promise.withResolvers<boolean>();
    const waiting = this.lanes.get(lane);
    if (waiting) waiting.push({ each, end });
    else {
      this.lanes.set(lane, [{ each, end }]);
      void this.run(lane);
    }
    return promise;
  }

  private async run(lane: string): Promise<void> {
    // Items of one read are added together, so a lane starts only when all of them are there.
    await Promise.resolve();
    const waiting = this.lanes.get(lane) ?? [];
    while (waiting.length > 0) {
      const some = waiting.slice(0, this.batchSize);
      const done = await this.work(some.map(({ each }) => each));
      for (const { end } of waiting.splice(0, done ? some.length : waiting.length)) end(done);
    }
    this.lanes.delete(lane);
    if (this.idle) for (const resolve of this.resting.splice(0)) resolve();
  }
}
