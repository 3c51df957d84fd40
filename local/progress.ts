type Piece = { last: string; done: boolean };

/**
 * How far the shards of a stream are worked off. Pieces end in any order; a shard is done up to the first that has not
 * ended, so that whoever goes on there repeats what was under way and leaves nothing out.
 */
export class Progress {
  /** The last record of each shard up to which nothing is left to do. */
  readonly done: Map<string, string>;
  /** How often that has changed. */
  changes = 0;
  private readonly shards = new Map<string, Piece[]>();

  constructor(done: ReadonlyMap<string, string>) {
    this.done = new Map(done);
  }

  /**
   * Notes that a shard was read up to a record.
   * @returns what to call once all of it is done.
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
