import { createHash } from 'node:crypto';
import { type IndexName, tableSchema } from '../../shared/db/table-schema.ts';
import { deadline } from './limits.ts';
import { type Heat, Partitions } from './partitions.ts';
import type { Owner, Use } from './slots.ts';
import { exponents, populationAt } from './workload.ts';
import { zipfShares } from './zipf.ts';

/** The largest owners are simulated individually; all others together spread evenly over this many keys. */
const followed = { projects: 12, each: 6, others: 256 } as const;

/** An item of one of the largest owners, with the transactions a second that contain it. */
export type HotItem = Heat & { transactions: number };

export type Heats = {
  table: Partitions;
  indexes: Partitions[];
  /** The items of the largest owners, by `hotKey`. */
  hot: Map<string, HotItem>;
};

/** The ranks count from 0: the project among all, and the owner among those of its kind in the project. */
export const hotKey = (use: Pick<Use, 'collection' | 'item'>, project: number, owner: number) =>
  `${use.collection} ${use.item} ${project}.${owner}`;

/** The fractions of all requests that belong to the largest owners. */
export type Shares = Record<Owner, readonly number[]> & { ofAll: number };

/** By project, the largest first. */
export function largestAt(rate: number, feedShards: number): Shares[] {
  const { projects, users, workspaces } = populationAt(rate);
  const { each } = followed;
  return zipfShares(projects, exponents.projects, followed.projects).map((ofAll) => ({
    ofAll,
    project: [1],
    feed: Array<number>(feedShards).fill(1 / feedShards),
    user: zipfShares(users * ofAll, exponents.users, each),
    workspace: zipfShares(workspaces * ofAll, exponents.workspaces, each),
  }));
}

/** The partitions of the table and its indexes, each new, under the use of each slot. */
export function heatOf(
  uses: readonly Use[],
  largest: readonly Shares[],
  { seed, quota }: { seed: number; quota: number },
): Heats {
  const limits = { patience: deadline, quota };
  const hot = new Map<string, HotItem>();
  const items: HotItem[] = [];
  const entries = new Map<IndexName, Heat[]>(
    (Object.keys(tableSchema.indexes) as IndexName[]).map((name) => [name, []]),
  );
  const changing: { item: HotItem; index: IndexName; of: Heat }[] = [];

  const place = (use: Use, owner: string, share: number): HotItem | undefined => {
    const { index, collection, item, width } = use;
    const of = index && {
      name: `${index.name}, entries of ${owner}`,
      position: positionOf(`${seed} ${index.name} ${owner}`),
      read: index.read * share,
      write: index.write * share,
    };
    if (index && of) entries.get(index.name)?.push(of);
    if (use.read + use.write === 0) return undefined;
    const start = positionOf(`${seed} ${collection} ${owner}`);
    const made = Array.from({ length: width }, (_, i) => ({
      name: `${collection}#… / ${item} of ${owner}`,
      // The items of a partition key are adjacent. The table has no local index, so a split may separate them.
      position: start + (i + item.length / 100) * 1e-9,
      read: (use.read * share) / width,
      write: (use.write * share) / width,
      transactions: (use.transactions * share) / width,
    }));
    items.push(...made);
    if (index && of && index.write > 0)
      changing.push(...made.map((each) => ({ item: each, index: index.name, of })));
    return made[0];
  };

  for (const use of uses) {
    let rest = 1;
    for (const [i, shares] of largest.entries())
      for (const [j, share] of shares[use.owner].entries()) {
        const part = shares.ofAll * share;
        rest -= part;
        const made = place(use, `${use.owner} ${j + 1} of project ${i + 1}`, part);
        if (made) hot.set(hotKey(use, i, j), made);
      }
    for (let k = 0; k < followed.others; k += 1)
      place(use, `the other ${use.owner}s, ${k}`, rest / followed.others);
  }
  const indexes = new Map([...entries].map(([name, some]) => [name, new Partitions(some, limits)]));
  for (const { item, index, of } of changing) {
    const partitions = indexes.get(index);
    if (partitions) item.entry = { index: partitions, of };
  }
  return { table: new Partitions(items, limits), indexes: [...indexes.values()], hot };
}

function positionOf(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE(0) / 2 ** 32;
}
