import type { ApiError } from '../model/errors.ts';
import type { Item } from './item.ts';
import { StaleReadError } from './request-context.ts';
import type { Key } from './schema.ts';

/** A condition: `#name` stands for the attribute of that name, `:name` for the value given under it. */
export type Condition = { expression: string; values: Record<string, unknown> };

/** `where('#version = :seen', { seen: 3 })` */
export const where = (expression: string, values: Record<string, unknown> = {}): Condition => ({
  expression,
  values,
});

/** Both conditions hold. */
export const and = (a: Condition, b: Condition): Condition => ({
  expression: `(${a.expression}) AND (${b.expression})`,
  values: { ...a.values, ...b.values },
});

/** What an update does to attributes. A value that is undefined is left alone. */
export type Changes = {
  set?: Record<string, unknown>;
  /** Sets an attribute only if the item has none. */
  setIfAbsent?: Record<string, unknown>;
  add?: Record<string, number>;
  /** Adds to an attribute that may be missing, on an item that may be missing. */
  increment?: Record<string, number>;
  remove?: readonly string[];
};

/** One write of a transaction, on an item of type `T`. */
export type Write<T extends Item = Item> = (
  | { kind: 'put'; item: Item; condition?: Condition }
  | { kind: 'update'; key: Key; changes: Changes; condition: Condition }
  | { kind: 'delete'; key: Key; condition?: Condition }
  | { kind: 'check'; key: Key; condition: Condition }
) & {
  /** Never there: it types the item that a failed condition returns. */
  type?: T;
};

/** Writes an item that must not exist yet. */
export const create = <T extends Item>(item: T): Write<T> => ({
  kind: 'put',
  item,
  condition: where('attribute_not_exists(#pk)'),
});
/** Writes an item, under a condition on what was there or whatever there was. */
export const put = <T extends Item>(item: T, condition?: Condition): Write<T> => ({
  kind: 'put',
  item,
  ...(condition && { condition }),
});
/** Changes attributes of an item under a condition. */
export const update = <T extends Item>(
  key: Key,
  changes: Changes,
  condition: Condition,
): Write<T> => ({ kind: 'update', key, changes, condition });
/** Deletes an item. */
export const del = <T extends Item>(key: Key, condition?: Condition): Write<T> => ({
  kind: 'delete',
  key,
  ...(condition && { condition }),
});
/** Makes the whole transaction depend on an item that it does not write. */
export const assert = <T extends Item>(key: Key, condition: Condition): Write<T> => ({
  kind: 'check',
  key,
  condition,
});

/** The key of the item that a write is of. */
export const keyOf = (write: Write): Key => (write.kind === 'put' ? write.item : write.key);

/** The items whose conditions failed, as they were, by the names of the writes; null where there was none. */
export type Failed<W = Record<string, Write>> = {
  [N in keyof W]?: (W[N] extends Write<infer T> | undefined ? T : Item) | null;
};

/**
 * Conditions of a write failed. Where no table function knows a better name for it, it is what it is: something that was
 * read has changed.
 */
export class ConditionFailed extends StaleReadError {
  override readonly name = 'ConditionFailed';
  readonly failed: Failed;
  /** Whether an earlier try may have taken effect, whose answer was lost, and something else came after it. */
  readonly outcomeUnknown: boolean;

  constructor(failed: Failed, { outcomeUnknown = false } = {}) {
    super(`The condition failed of: ${Object.keys(failed).join(', ')}`);
    this.failed = failed;
    this.outcomeUnknown = outcomeUnknown;
  }
}

type Awaitable<T> = T | Promise<T>;

/** What conditions that failed come to: an error, another change, or nothing where what was read is stale. */
type Instead<R> = Change<R> | ApiError | undefined;

type Parts<R> = {
  writes: Record<string, Write>;
  result: (item: Item) => Awaitable<R>;
  instead: (error: ConditionFailed) => Awaitable<Instead<R>>;
  read?: (() => Promise<Item | undefined>) | undefined;
  expected: readonly Item[];
  rereadOnConflict: boolean;
  afterwards?: (() => Promise<unknown>) | undefined;
};

/**
 * A change that has been decided on and is not yet done: what is to be written, and what it results in. A handler
 * returns one, and the frame commits it, together with the record of the answer where the request has an Idempotency-Key
 * (`commit`). Nothing is sent before, so a handler may be run again from its reads at any time.
 */
export class Change<R> {
  private readonly parts: Parts<R>;

  constructor(parts: Parts<R>) {
    this.parts = parts;
  }

  /** All or nothing, by the names that `instead` knows them by. */
  get writes(): Record<string, Write> {
    return this.parts.writes;
  }
  /**
   * How to find the item where the change is one update of an item that nobody needs to read first: the table answers
   * the item as it then is. Absent where the result is known before.
   */
  get read(): Parts<R>['read'] {
    return this.parts.read;
  }
  /** Items that must be as they were read, beside the conditions of the writes. */
  get expected(): readonly Item[] {
    return this.parts.expected;
  }
  /** Whether to read again rather than wait where another transaction is at work on the same items. */
  get rereadOnConflict(): boolean {
    return this.parts.rereadOnConflict;
  }

  /** What it results in, given the item after the update where the change is one. */
  result(item?: Item): Awaitable<R> {
    return this.parts.result(item as Item);
  }
  /** What to do where conditions failed. */
  instead(error: ConditionFailed): Awaitable<Instead<R>> {
    return this.parts.instead(error);
  }
  /** What goes on once it is committed. */
  async finish(): Promise<void> {
    await this.parts.afterwards?.();
  }

  /** The same change with another view of its result. */
  as<V>(view: (result: R) => Awaitable<V>): Change<V> {
    const { result, instead, ...parts } = this.parts;
    return new Change<V>({
      ...parts,
      result: async (item) => view(await result(item)),
      instead: async (error) => {
        const next = await instead(error);
        return next instanceof Change ? next.as(view) : next;
      },
    });
  }

  /** The same change, held to items being as they were read: for `If-Match`. */
  expecting(items: readonly Item[]): Change<R> {
    const { instead, expected, ...parts } = this.parts;
    return new Change<R>({
      ...parts,
      expected: [...expected, ...items],
      instead: async (error) => {
        const next = await instead(error);
        return next instanceof Change ? next.expecting(items) : next;
      },
    });
  }

  /** The same change, which comes to something else where it is refused with a failure. */
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

  /** The same change, after whose commit something else goes on; it must not fail. */
  afterwards(work: () => Promise<unknown>): Change<R> {
    return new Change<R>({ ...this.parts, afterwards: work });
  }

  /** The same change, which is decided anew where another transaction is at work on the same items. */
  rereadingOnConflict(): Change<R> {
    return new Change<R>({ ...this.parts, rereadOnConflict: true });
  }
}

const noParts = { instead: () => undefined, expected: [], rereadOnConflict: false };

/** Nothing is left to change. */
export const unchanged = <R>(result: R): Change<R> =>
  new Change({ ...noParts, writes: {}, result: () => result });

/**
 * Writes all or nothing.
 *
 * @param instead what conditions that failed come to, by the names of the writes: a failure to throw, or another change
 *   to commit; where it answers nothing, what was read is stale, and the handler runs again.
 */
export function change<const W extends Record<string, Write | undefined>, R>(
  writes: W,
  result: R,
  instead: (failed: Failed<W>) => Awaitable<Instead<R>> = () => undefined,
): Change<R> {
  const given = Object.entries(writes).filter(([, write]) => write !== undefined);
  return new Change({
    ...noParts,
    writes: Object.fromEntries(given) as Record<string, Write>,
    result: () => result,
    instead: ({ failed }) => instead(failed as Failed<W>),
  });
}

/**
 * Updates one item that nobody has read, and results in the item as it is then.
 *
 * @param read finds it where the result must be known before: to be recorded, or compared with `If-Match`.
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
