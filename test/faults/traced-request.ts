import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { nameOf, writtenBy } from '../support/call-names.ts';
import type { Ask } from '../support/table.ts';
import { answer, type Call, type Exchange, type Fault, resetBefore } from './fault.ts';
import { canonical } from './normalise.ts';

type Attributes = Record<string, AttributeValue>;
type Keys = Record<string, { Keys: Attributes[]; ConsistentRead: true }>;
type Read = { Responses?: Record<string, Attributes[]>; UnprocessedKeys?: Keys };
/** An item as the wire has it, or that there is none. */
export type Item = Attributes | undefined;

/** A call among those of its request, the `nth` that does the same, counted from 0; and how often it was tried. */
export type Met = { call: Call; name: string; nth: number; tries: number };

/** The table as one request changed it: every item that it wrote and that is not as it was. */
export type Changes = ReadonlyMap<string, Item>;

/**
 * One request at a time, and what it does to the table: sees its calls, lets faults happen to them, remembers each item
 * as it was before it was written, and puts all of them back.
 */
export class Lane {
  /** Chooses what happens to a call of this lane. */
  plan: ((met: Met) => Fault | undefined) | undefined;
  /** The name of the present request, where each has one. */
  request: string | undefined;
  /** Every call of the present request, but no repetition. */
  readonly met: Met[] = [];
  private readonly before = new Map<string, Promise<Item>>();
  /** What has changed, as far as it was looked at since the last write. */
  private changed: Promise<Changes> | undefined;
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly ask: Ask;
  private readonly table: string;

  constructor({ ask, name }: { ask: Ask; name: string }) {
    this.ask = ask;
    this.table = name;
  }

  /** What happens to a call of this lane. */
  meet(call: Call): Fault {
    // An instance counts for many requests at once, at a project's door and of the changes of a user: no call of one
    // request, and nothing to put back. test/shared/access/project-rate-limit and change-rate-limit have its faults.
    // Failed sign-ins are counted beside the request, by one attempt that may be lost.
    if (/RATE#projectDoor#|IDEMPOTENCY#CHANGES#|#FAILED/.test(call.text))
      return async ({ response, forward }) => answer(response, await forward());
    // What a request had on its way as its time ran out may arrive during the next one, whose plan is another.
    if (this.request !== undefined && call.lane !== this.request) return resetBefore;
    const met = this.nameOf(call);
    const fault = this.plan?.(met);
    return (exchange) => {
      const work = this.doing(exchange, fault);
      this.underWay.add(work);
      return work.finally(() => this.underWay.delete(work));
    };
  }

  /** Resolves when nothing of it is under way any more, whoever still waits for it. */
  async quiet(): Promise<void> {
    while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
  }

  /** What has changed since the lane began, or since it was put back. */
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

  /** Every item that was written, as it was before. */
  async images(): Promise<Map<string, Item>> {
    const entries = [...this.before].map(async ([key, item]) => [key, await item] as const);
    return new Map(await Promise.all(entries));
  }

  /** Makes the table as it was before the lane began. */
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
    // What was not there before has a new key each time.
    for (const [key, item] of before) if (!item) this.before.delete(key);
    this.met.length = 0;
    this.changed = undefined;
  }

  private nameOf(call: Call): Met {
    const known = this.met.find((each) => each.call.text === call.text);
    if (known) {
      known.tries += 1;
      return known;
    }
    const name = nameOf({ name: call.operation, input: call.body });
    const nth = this.met.filter((each) => each.name === name).length;
    const met = { call, name, nth, tries: 1 };
    this.met.push(met);
    return met;
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
    // Another call may still be reading it.
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

/** Whether two items are the same, in whatever order their attributes come, which is mostly one order. */
const isSame = (one: Item, other: Item): boolean =>
  JSON.stringify(one) === JSON.stringify(other) ||
  (one !== undefined && other !== undefined && canonical(one) === canonical(other));
