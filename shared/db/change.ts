import type { ApiError } from '../model/errors.ts';
import { absent, type Condition } from './condition.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import { StaleReadError } from './request-context.ts';

/** The attribute changes of an update. Undefined values are ignored. */
export type Changes = {
  set?: Record<string, unknown>;
  /** Sets an attribute only if the item has none. */
  setIfAbsent?: Record<string, unknown>;
  /** Adds to a number that the item has. */
  add?: Record<string, number>;
  /** Adds to a number, from zero where the attribute or the item is missing. */
  increment?: Record<string, number>;
  remove?: readonly string[];
};

/** The changes of several sources in one update. Of two values for one attribute the later wins. */
export const merged = (...all: readonly Changes[]): Changes => ({
  set: Object.assign({}, ...all.map(({ set }) => set)),
  setIfAbsent: Object.assign({}, ...all.map(({ setIfAbsent }) => setIfAbsent)),
  add: Object.assign({}, ...all.map(({ add }) => add)),
  increment: Object.assign({}, ...all.map(({ increment }) => increment)),
  remove: all.flatMap(({ remove = [] }) => remove),
});

/** One write of a transaction, on an item of type `T`. It is described here, and `commit` sends it. */
export type Write<T extends Item = Item> = (
  | { kind: 'put'; item: Item; condition?: Condition }
  | { kind: 'update'; key: Key; changes: Changes; condition: Condition }
  | { kind: 'delete'; key: Key; condition?: Condition }
  | { kind: 'check'; key: Key; condition: Condition }
) & {
  /** Never set: it only types the item that a failed condition returns. */
  type?: T;
};

/** Describes the creation of an item, which fails if it exists. */
export const create = <T extends Item>(item: T): Write<T> => ({
  kind: 'put',
  item,
  condition: absent,
});
/** Describes the write of an item, which replaces an existing one; under a condition on that one if given. */
export const put = <T extends Item>(item: T, condition?: Condition): Write<T> => ({
  kind: 'put',
  item,
  ...(condition && { condition }),
});
/** Describes an update of attributes under a condition. `updateItem` sends one by itself. */
export const update = <T extends Item>(
  key: Key,
  changes: Changes,
  condition: Condition,
): Write<T> => ({ kind: 'update', key, changes, condition });
/** Describes the deletion of an item. */
export const del = <T extends Item>(key: Key, condition?: Condition): Write<T> => ({
  kind: 'delete',
  key,
  ...(condition && { condition }),
});
/** Makes the transaction depend on an item that it does not write. */
export const assert = <T extends Item>(key: Key, condition: Condition): Write<T> => ({
  kind: 'check',
  key,
  condition,
});

/** The key of the item that a write concerns. */
export const keyOf = (write: Write): Key => (write.kind === 'put' ? write.item : write.key);

/** The items whose conditions failed, in their current state, by the names of the writes; null for a missing item. */
export type Failed<W = Record<string, Write>> = {
  [N in keyof W]?: (W[N] extends Write<infer T> | undefined ? T : Item) | null;
};

/**
 * Thrown when conditions of a write failed. If the change's `instead` returns nothing, it counts as a stale read:
 * something that was read has changed.
 */
export class ConditionFailed extends StaleReadError {
  override readonly name = 'ConditionFailed';
  readonly failed: Failed;
  /** Whether an earlier attempt may have taken effect although its response was lost, followed by another change. */
  readonly outcomeUnknown: boolean;

  constructor(failed: Failed, { outcomeUnknown = false } = {}) {
    super(`The condition failed of: ${Object.keys(failed).join(', ')}`);
    this.failed = failed;
    this.outcomeUnknown = outcomeUnknown;
  }
}

type Awaitable<T> = T | Promise<T>;

/** The outcome of failed conditions: an error, another change, or undefined if a read was stale. */
type Instead<R> = Change<R> | ApiError | undefined;

export type Parts<R> = {
  /** The writes of one transaction, by the names that `instead` uses. */
  writes: Record<string, Write>;
  /** Computes the result; for a single update, from the item after the update. */
  result: (item?: Item) => Awaitable<R>;
  /** Decides what happens when conditions failed. */
  instead: (error: ConditionFailed) => Awaitable<Instead<R>>;
  /**
   * Reads the item of a change that is a single update, without a read before it: the update itself returns the new
   * item. Absent if the result is known without it.
   */
  read?: () => Promise<Item | undefined>;
  /** Items that must be unchanged since they were read, in addition to the conditions of the writes. */
  expected: readonly Item[];
  /** Whether the handler reads again, instead of waiting, when another transaction is working on the same items. */
  rereadOnConflict: boolean;
  /** The work that follows the commit. */
  afterwards?: () => Promise<unknown>;
};

/**
 * A change that is decided but not yet written: the writes and the result. A handler returns it, and `commit` sends it,
 * together with the record of the response if the request has an Idempotency-Key. Nothing is sent before, so a handler
 * can be rerun from its reads at any time.
 */
export class Change<R> {
  readonly parts: Parts<R>;

  constructor(parts: Parts<R>) {
    this.parts = parts;
  }

  /** The same change with its result mapped. */
  as<V>(view: (result: R) => Awaitable<V>): Change<V> {
    const { result, instead, ...parts } = this.parts;
    return new Change<V>({
      ...parts,
      result: async (item) => view(await result(item)),
      instead: passOn(instead, (next) => next.as(view)),
    });
  }

  /** The same change, which also requires that items are unchanged since they were read: for `If-Match`. */
  expecting(items: readonly Item[]): Change<R> {
    const expected = [...this.parts.expected, ...items];
    return this.also({ expected }, (next) => next.expecting(items));
  }

  /** The same change with another outcome if it is refused with an error. */
  ifRefused(next: (failure: ApiError) => Awaitable<Instead<R>>): Change<R> {
    const { instead, ...parts } = this.parts;
    return new Change<R>({
      ...parts,
      instead: async (error) => {
        const found = await instead(error);
        if (found === undefined) return undefined;
        return found instanceof Change ? found.ifRefused(next) : next(found);
      },
    });
  }

  /** The same change with work to run after the commit. The work must not fail. */
  afterwards(work: () => Promise<unknown>): Change<R> {
    return this.also({ afterwards: work }, (next) => next.afterwards(work));
  }

  /** The same change, but the handler reads again when another transaction is working on the same items. */
  rereadingOnConflict(): Change<R> {
    return this.also({ rereadOnConflict: true }, (next) => next.rereadingOnConflict());
  }

  /** The same change with other parts; `then` does the same to the change that `instead` returns. */
  private also(parts: Partial<Parts<R>>, then: (next: Change<R>) => Change<R>): Change<R> {
    return new Change<R>({ ...this.parts, ...parts, instead: passOn(this.parts.instead, then) });
  }
}

/** Applies `then` also to the change that `instead` returns after a failed condition. */
const passOn =
  <R, V>(instead: Parts<R>['instead'], then: (next: Change<R>) => Change<V>) =>
  async (error: ConditionFailed): Promise<Instead<V>> => {
    const next = await instead(error);
    return next instanceof Change ? then(next) : next;
  };

const noParts = { instead: () => undefined, expected: [], rereadOnConflict: false };

/** A change without writes. */
export const noChange = <R>(result: R): Change<R> =>
  new Change({ ...noParts, writes: {}, result: () => result });

/**
 * Describes a change whose writes are one transaction.
 *
 * @param instead decides the outcome when conditions failed, by the names of the writes: an error to throw or another
 * change to commit. If it returns undefined, a read was stale and the handler runs again.
 */
export function change<const W extends Record<string, Write | undefined>, R>(
  writes: W,
  result: R,
  instead: (failed: Failed<W>) => Awaitable<Instead<R>> = () => undefined,
): Change<R> {
  const entries = Object.entries(writes).filter(([, write]) => write !== undefined);
  return new Change({
    ...noParts,
    writes: Object.fromEntries(entries) as Record<string, Write>,
    result: () => result,
    instead: ({ failed }) => instead(failed as Failed<W>),
  });
}

/**
 * Describes a change that updates one item, unread before; the result is the item after the update.
 *
 * @param read reads the item when the result must be known before: to record it, or to compare it with `If-Match`
 */
export const changeItem = <T extends Item>(
  { key, changes, condition }: { key: Key; changes: Changes; condition: Condition },
  read: () => Promise<T | undefined>,
  instead: (item: T | null, error: ConditionFailed) => Awaitable<Instead<T>> = () => undefined,
): Change<T> =>
  new Change({
    ...noParts,
    writes: { item: update(key, changes, condition) },
    read,
    result: (item) => item as T,
    instead: (error) => instead((error.failed['item'] ?? null) as T | null, error),
  });
