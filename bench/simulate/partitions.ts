import { aws, estimates } from './limits.ts';

/** Units a second, and how they spread over the keys of a table or an index. */
export type Units = { read: number; write: number };

/** An item, or a range of items that is always used together. It is on one partition, whatever its load. */
export type Heat = Units & {
  name: string;
  /** Position of its key among all keys, from 0 up to 1: by the hash of the partition key, then by the sort key. */
  position: number;
  /** The entry of an index that each of its writes changes too. */
  entry?: { index: Partitions; of: Heat };
};

type Dimension = keyof Units;
const dimensions = ['read', 'write'] as const;

type Partition = {
  items: Heat[];
  /** Units a second of its items. */
  load: Units;
  /** The indexes that its writes change too. */
  indexes: Partitions[];
  /** Unused units of the past, by dimension. */
  burst: Units;
  /** Units that wait because the partition has reached its limit. */
  waiting: Units;
  /** Fraction of the offered units that it served in the last second. */
  served: Units;
  hotSince: number | undefined;
};

const loadOf = (items: readonly Heat[], dimension: Dimension): number =>
  items.reduce((sum, item) => sum + item[dimension], 0);

/** The partitions of one table or index, second by second. */
export class Partitions {
  readonly parts: Partition[];
  /** Units since the start that were offered, and that waited for longer than a request does. */
  readonly offered: Units = { read: 0, write: 0 };
  readonly failed: Units = { read: 0, write: 0 };
  /** Whether a write was throttled in the last second. */
  throttles = false;
  private second = 0;
  /** Units a second of all items. */
  readonly load: Units;
  private readonly patience: number;
  private readonly quota: number;
  private readonly places = new Map<Heat, Partition>();

  /**
   * @param patience seconds after which a request that waits fails
   * @param quota units a second of the whole table or index
   */
  constructor(
    items: readonly Heat[],
    {
      patience,
      quota = aws.tableQuota,
      count = aws.newTablePartitions,
    }: { patience: number; quota?: number; count?: number },
  ) {
    this.quota = quota;
    this.load = { read: loadOf(items, 'read'), write: loadOf(items, 'write') };
    const sorted = items.toSorted((a, b) => a.position - b.position);
    const ranges = Map.groupBy(sorted, ({ position }) => Math.floor(position * count));
    this.patience = patience;
    this.parts = [...ranges.values()].map((some) => this.place(some));
  }

  /**
   * Serves one second. The indexes of its items must have served theirs.
   *
   * @param factor the load of this second, as a multiple of the mean
   */
  step(factor = 1): void {
    this.second += 1;
    for (const dimension of dimensions) {
      const share = Math.min(1, this.quota / Math.max(1, this.load[dimension] * factor));
      for (const part of this.parts) this.serve(part, dimension, { share, factor });
    }
    for (const part of [...this.parts]) this.splitWhenHot(part);
    this.throttles = this.parts.some(({ served }) => served.write < 1);
  }

  /** The fraction of an item's units that are served; 1 without throttling. */
  servedOf(item: Heat, dimension: Dimension): number {
    const part = this.partOf(item);
    const own = part.served[dimension];
    if (dimension === 'read' || !item.entry) return own;
    // DynamoDB refuses the write of an item whose index cannot take the entry.
    return Math.min(own, item.entry.index.servedOf(item.entry.of, 'write'));
  }

  /** Seconds that a unit of an item waits for its partition. */
  waitOf(item: Heat, dimension: Dimension): number {
    return this.partOf(item).waiting[dimension] / aws.partition[dimension];
  }

  private partOf(item: Heat): Partition {
    const found = this.places.get(item);
    if (!found) throw new Error(`No partition has ${item.name}`);
    return found;
  }

  private place(items: Heat[]): Partition {
    const made: Partition = {
      items,
      load: { read: loadOf(items, 'read'), write: loadOf(items, 'write') },
      indexes: [...new Set(items.flatMap(({ entry }) => entry?.index ?? []))],
      burst: { read: 0, write: 0 },
      waiting: { read: 0, write: 0 },
      served: { read: 1, write: 1 },
      hotSince: undefined,
    };
    for (const item of items) this.places.set(item, made);
    return made;
  }

  private serve(
    part: Partition,
    dimension: Dimension,
    { share, factor }: { share: number; factor: number },
  ): void {
    const limit = aws.partition[dimension];
    const demand = part.load[dimension] * factor;
    const refused = dimension === 'write' ? refusedByIndexes(part) * factor : 0;
    const taken = (demand - refused) * share;
    const offered = taken + part.waiting[dimension];
    const burst = Math.min(part.burst[dimension], limit * estimates.burstRate);
    const done = Math.min(offered, limit + burst);
    const unused = limit - done;
    const bucket = limit * aws.burstSeconds;
    part.burst[dimension] = Math.max(0, Math.min(bucket, part.burst[dimension] + unused));
    part.served[dimension] = offered === 0 ? 1 : done / offered;
    // Units that cannot be served before their deadline fail now.
    const room = limit * this.patience;
    const left = offered - done;
    part.waiting[dimension] = Math.min(left, room);
    this.offered[dimension] += demand;
    this.failed[dimension] += Math.max(0, left - room) + demand - taken;
  }

  private splitWhenHot(part: Partition): void {
    const hot = dimensions.some(
      (dimension) => part.load[dimension] > estimates.splitAt * aws.partition[dimension],
    );
    part.hotSince = hot ? (part.hotSince ?? this.second) : undefined;
    if (part.hotSince === undefined || this.second - part.hotSince < estimates.splitAfter) return;
    const at = splitPoint(part.items);
    part.hotSince = undefined;
    if (at === undefined) return;
    const halves = [part.items.slice(0, at), part.items.slice(at)];
    this.parts.splice(this.parts.indexOf(part), 1, ...halves.map((some) => this.place(some)));
  }
}

/** Write units a second that DynamoDB refuses because an index cannot take their entries. */
function refusedByIndexes({ items, indexes }: Partition): number {
  if (!indexes.some(({ throttles }) => throttles)) return 0;
  return items.reduce(
    (sum, { entry, write }) =>
      sum + (entry ? write * (1 - entry.index.servedOf(entry.of, 'write')) : 0),
    0,
  );
}

/** The split point between two items that minimises the load of the busier half; undefined if no split reduces it. */
function splitPoint(items: readonly Heat[]): number | undefined {
  const heatOf = (item: Units) => item.read / aws.partition.read + item.write / aws.partition.write;
  const total = items.reduce((sum, item) => sum + heatOf(item), 0);
  let before = 0;
  let best: { at: number; busier: number } | undefined;
  for (const [i, item] of items.entries()) {
    if (i > 0) {
      const busier = Math.max(before, total - before);
      if (!best || busier < best.busier) best = { at: i, busier };
    }
    before += heatOf(item);
  }
  return best && best.busier < total ? best.at : undefined;
}
