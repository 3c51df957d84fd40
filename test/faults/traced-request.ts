import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { nameOf, writtenBy } from '../support/call-names.ts';
import type { Ask } from '../support/table.ts';
import { answer, type Call, type Exchange, type Fault, resetBefore } from './fault.ts';
import { canonical } from './normalise.ts';

type Attributes = Record<string, AttributeValue>;
type Keys = Record<string, { Keys: Attributes[]; ConsistentRead: true }>;
type Read = { Responses?: Record<string, Attributes[]>; UnprocessedKeys?: Keys };
/** An item in wire format; undefined if there is none. */
export type Item = Attributes | undefined;

/** A call of a request: the `nth` of its name, counted from 0, and its number of tries. */
export type TracedCall = { call: Call; name: string; nth: number; tries: number };

/** Every item that a request changed, with its new state. */
export type Changes = ReadonlyMap<string, Item>;

/**
 * Traces one request at a time: records its calls, injects faults into them, remembers each item before it is written,
 * and restores all of them.
 */
export class Lane {
  /** Chooses the fault of a call of this lane. */
  plan: ((call: TracedCall) => Fault | undefined) | undefined;
  /** The name of the current request, if requests are named. */
  request: string | undefined;
  /** Every call of the current request, without retries. */
  readonly calls: TracedCall[] = [];
  private readonly before = new Map<string, Promise<Item>>();
  /** The changes, cached until the next write. */
  private changed: Promise<Changes> | undefined;
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly ask: Ask;
  private readonly table: string;

  constructor({ ask, name }: { ask: Ask; name: string }) {
    this.ask = ask;
    this.table = name;
  }

  /** Returns the handling of a call of this lane. */
  meet(call: Call): Fault {
    // An instance counts many requests at once for the rate limits of a project, and of a user's changes and sign-ins:
    // these calls belong to no single request, and there is nothing to restore. Their faults are tested in
    // test/shared/access/door-rate-limit and change-rate-limit. Failed sign-ins are counted in the background, and one
    // may be lost.
    if (/RATE#\w+Door#|RATE#signInsOfOne#|IDEMPOTENCY#CHANGES#|#FAILED/.test(call.text))
      return async ({ response, forward }) => answer(response, await forward());
    // A late call of a request that timed out may arrive during the next one, which has another plan.
    if (this.request !== undefined && call.lane !== this.request) return resetBefore;
    const traced = this.nameOf(call);
    const fault = this.plan?.(traced);
    return (exchange) => {
      const work = this.doing(exchange, fault);
      this.underWay.add(work);
      return work.finally(() => this.underWay.delete(work));
    };
  }

  /** Resolves when no call of the lane is in flight, even one without a waiting client. */
  async quiet(): Promise<void> {
    while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
  }

  /** The changes since the lane began or was restored. */
  changes(): Promise<Changes> {
    return (this.changed ??= this.compare());
  }

  private async compare(): Promise<Changes> {
    const before = await this.images();
    const keys = [...before.keys()];
    const now = await this.read(keys);
    return new Map(
      keys
        .filter((key) => !isSame(now.get(key), before.get(key)))
        .map((key) => [key, now.get(key)]),
    );
  }

  /** Every written item in its earlier state. */
  async images(): Promise<Map<string, Item>> {
    const entries = [...this.before].map(async ([key, item]) => [key, await item] as const);
    return new Map(await Promise.all(entries));
  }

  /** Restores the table to the state before the lane began. */
  async putBack(): Promise<void> {
    const before = await this.images();
    const requests = [...(await this.changes()).keys()].map((key) => {
      const item = before.get(key);
      return item ? { PutRequest: { Item: item } } : { DeleteRequest: { Key: toKey(key) } };
    });
    for (let i = 0; i < requests.length; i += 25)
      await this.ask('BatchWriteItem', {
        RequestItems: { [this.table]: requests.slice(i, i + 25) },
      });
    // New items have new keys each time.
    for (const [key, item] of before) if (!item) this.before.delete(key);
    this.calls.length = 0;
    this.changed = undefined;
  }

  private nameOf(call: Call): TracedCall {
    const known = this.calls.find((each) => each.call.text === call.text);
    if (known) {
      known.tries += 1;
      return known;
    }
    const name = nameOf({ name: call.operation, input: call.body });
    const nth = this.calls.filter((each) => each.name === name).length;
    const traced = { call, name, nth, tries: 1 };
    this.calls.push(traced);
    return traced;
  }

  private async doing(exchange: Exchange, fault: Fault | undefined): Promise<unknown> {
    const written = writtenBy({ name: exchange.operation, input: exchange.body });
    const keys = written.map(({ Key }) => toText(Key));
    const unread = keys.filter((key) => !this.before.has(key));
    if (unread.length > 0) {
      const reading = this.read(unread);
      for (const key of unread)
        this.before.set(
          key,
          reading.then((items) => items.get(key)),
        );
    }
    // Another call may still be reading the item.
    for (const key of keys) await this.before.get(key);
    try {
      return await (fault ? fault(exchange) : answer(exchange.response, await exchange.forward()));
    } finally {
      if (keys.length > 0) this.changed = undefined;
    }
  }

  private async read(keys: readonly string[]): Promise<Map<string, Item>> {
    const found = new Map<string, Item>();
    for (let i = 0; i < keys.length; i += 100) {
      const Keys = keys.slice(i, i + 100).map(toKey);
      let RequestItems: Keys | undefined = { [this.table]: { Keys, ConsistentRead: true } };
      while (RequestItems?.[this.table]) {
        const read: Read = await this.ask('BatchGetItem', { RequestItems });
        for (const item of read.Responses?.[this.table] ?? []) found.set(toText(item), item);
        RequestItems = read.UnprocessedKeys;
      }
    }
    return found;
  }
}

const toText = ({ pk, sk }: Attributes): string => JSON.stringify([pk?.S, sk?.S]);

function toKey(text: string): Attributes {
  const [pk, sk] = JSON.parse(text) as [string, string];
  return { pk: { S: pk }, sk: { S: sk } };
}

/** Whether two items are equal, regardless of attribute order, which is mostly the same. */
const isSame = (one: Item, other: Item): boolean =>
  JSON.stringify(one) === JSON.stringify(other) ||
  (one !== undefined && other !== undefined && canonical(one) === canonical(other));
