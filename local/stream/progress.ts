type Piece = { last: string; done: boolean };

/**
 * Progress in the shards of a stream. Batches end in any order; a shard is done up to its first unfinished batch, so
 * that a restart repeats unfinished work and skips nothing.
 */
export class Progress {
  /** For each shard, the last record up to which everything is processed. */
  readonly done: Map<string, string>;
  /** Number of changes of `done`. */
  changes = 0;
  private readonly shards = new Map<string, Piece[]>();

  constructor(done: ReadonlyMap<string, string>) {
    this.done = new Map(done);
  }

  /**
   * Records that a shard was read up to a record.
   * @returns a function to call when the batch is processed.
   */
  begin(shard: string, last: string): () => void {
    const pieces = this.shards.get(shard) ?? [];
    this.shards.set(shard, pieces);
    const piece = { last, done: false };
    pieces.push(piece);
    return () => {
      piece.done = true;
      while (pieces[0]?.done) {
        this.done.set(shard, pieces[0].last);
        pieces.shift();
        this.changes += 1;
      }
    };
  }
}
