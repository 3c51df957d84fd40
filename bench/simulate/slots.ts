import type { IndexName } from '../../shared/db/table-schema.ts';
import { statisticsParts } from '../../shared/stats/parts.ts';
import type { Touch } from './demand.ts';
import type { Request } from './workload.ts';

/** The owners that have one item, or one range of items, each: a project, part of a feed, user or workspace. */
export type Owner = 'project' | 'feed' | 'user' | 'workspace';

/** A position in the partitions of each owner. */
export type Slot = {
  owner: Owner;
  /** The beginning of its partition key: items that share it lie side by side. */
  collection: string;
  item: string;
  /** Number of keys of the collection over which it spreads. */
  width: number;
};

const slot = (owner: Owner, collection: string, item: string, width = 1): Slot => ({
  ...{ owner, collection, item, width },
});

/** Keys that stand for the many items of a kind in a workspace. */
const many = 4;

const slots: Record<string, Slot> = {
  user: slot('user', 'USER', 'USER'),
  session: slot('user', 'USER', 'SESSION'),
  password: slot('user', 'USER', 'PASSWORD'),
  'workspace left': slot('user', 'LEFT', 'WS, one for each workspace'),
  'e-mail guard': slot('user', 'EMAIL', 'EMAIL'),
  'external id guard': slot('project', 'EXTERNAL_ID', 'EXTERNAL_ID', many),
  metadata: slot('user', 'USER', 'METADATA'),
  rate: slot('user', 'RATE', 'RATE'),
  workspace: slot('workspace', 'WS', 'WS'),
  member: slot('workspace', 'WS', 'MEMBER', many),
  invitation: slot('workspace', 'WS', 'INVITE', many),
  'join link': slot('workspace', 'WS', 'LINK', many),
  'join request': slot('workspace', 'WS', 'REQUEST', many),
  domain: slot('workspace', 'WS', 'DOMAIN', many),
  directory: slot('project', 'DIRECTORY', 'a place or a term', many),
  'search term': slot('workspace', 'FIND', 'term', many),
  'feed head': slot('feed', 'FEED', 'HEAD'),
  // A transaction adds to the part that its log picks: shared/stats/parts.ts.
  counters: slot('project', 'STATS', 'COUNT', statisticsParts),
  // New events all have the key after the last one, so no split divides them.
  'feed entry': slot('feed', 'FEED', 'EVENT, the newest'),
  webhook: slot('project', 'WEBHOOKS', 'WEBHOOK'),
};

/** The slot of the item or page of a call; a log belongs to a workspace or to a user. */
export function slotOf({ kind, verb, index }: Touch, logOwner: Owner): Slot {
  if (verb === 'page' && index) return slot('user', index, `entries of ${kind}`);
  if (kind === 'log head') return slot(logOwner, 'LOG', 'HEAD');
  if (kind === 'log entry') return slot(logOwner, 'LOG', 'EVENT, the newest');
  const found = slots[kind];
  if (!found) throw new Error(`Nothing says where items of the kind ${kind} are`);
  // All callers read the first page of a range.
  return verb === 'page' && found.width > 1
    ? { ...found, item: `${found.item}, first page`, width: 1 }
    : found;
}

/** The load of one second of all requests on the items of one slot. */
export type Use = Slot & {
  read: number;
  write: number;
  /** The index that its writes change or its pages read. */
  index: { name: IndexName; read: number; write: number } | undefined;
  /** Transactions that contain it and may conflict. */
  transactions: number;
};

/** The use of each slot of the table at a rate of requests. */
export function usesAt(rate: number, requests: readonly Request[]): Use[] {
  const uses = new Map<string, Use>();
  for (const { demand, afterwards, part, logOwner } of requests)
    for (const { rounds } of [demand, ...afterwards])
      for (const touch of rounds.flat()) add(uses, slotOf(touch, logOwner), touch, rate * part);
  return [...uses.values()];
}

function add(uses: Map<string, Use>, place: Slot, touch: Touch, rate: number): void {
  const { index, verb, kind, read, write, indexWrite, transaction } = touch;
  const key = `${place.owner} ${place.collection} ${place.item}`;
  const use: Use = uses.get(key) ?? {
    ...place,
    ...{ read: 0, write: 0, transactions: 0, index: undefined },
  };
  uses.set(key, use);
  const ofIndex = verb === 'page' && index !== undefined;
  if (index) {
    use.index ??= { name: index, read: 0, write: 0 };
    use.index.read += ofIndex ? rate * read : 0;
    use.index.write += rate * indexWrite;
  }
  if (!ofIndex) use.read += rate * read;
  use.write += rate * write;
  // One invocation at a time appends to the log or feed of a project, so it finds no other transaction there.
  if (transaction && !/^(?:log|feed)/.test(kind)) use.transactions += rate;
}
