import type { ApiError } from '../model/errors.ts';
import { and, type Change, type Changes, type Condition, changeItem, where } from './change.ts';
import { serviceUnavailable } from './client.ts';
import type { Item } from './item.ts';
import type { Key } from './schema.ts';

/**
 * When something is modified: now, but never before it was modified last. Of two requests the one that began first may
 * write last, and another machine's clock may be ahead: by a time that goes back, whoever looks for what is new would
 * overlook a change.
 */
export function modifiedAt(now: Date, { modified_at }: { modified_at: string }): string {
  const text = now.toISOString();
  return text > modified_at ? text : modified_at;
}

/** Holds while nothing has been modified later than that: it goes with every change of `modified_at`. */
export const notModifiedAfter = (modified_at: string): Condition =>
  where('attribute_not_exists(#modified_at) OR #modified_at <= :latest', { latest: modified_at });

/**
 * Changes an item that nobody has read, and results in it as it is then. Where it was modified later than now, it is
 * modified at that time once more. Refused as `instead` says, or with `temporarily_unavailable` where a try that may have
 * been done was followed by what refuses the next: it must not be called refused, for it may have been seen.
 */
export function updateMonotonic<T extends Item>(
  { key, changes, condition }: { key: Key; changes: Changes; condition: Condition },
  now: Date,
  read: () => Promise<T | undefined>,
  refusal: () => ApiError,
): Change<T> {
  const modify = (modified_at: string, doubted: boolean): Change<T> =>
    changeItem<T>(
      {
        key,
        changes: { ...changes, set: { ...changes.set, modified_at } },
        condition: and(condition, notModifiedAfter(modified_at)),
      },
      read,
      (item, error) => {
        const outcomeUnknown =
          doubted ||
          (error.outcomeUnknown &&
            !isOfAnotherProject(item, condition) &&
            !isOlder(item, modified_at));
        const latest = item?.['modified_at'];
        if (typeof latest === 'string' && latest > modified_at)
          return modify(latest, outcomeUnknown);
        return outcomeUnknown ? serviceUnavailable(error) : refusal();
      },
    );
  return modify(now.toISOString(), false);
}

/**
 * Whether an item is of another project than the condition wants, or of none, as it has always been: so no try was done,
 * and what is another's answers like what never was.
 */
const isOfAnotherProject = (
  item: Item | null | undefined,
  { values: { project_id } }: Condition,
): boolean => project_id !== undefined && item?.['project_id'] !== project_id;

/** Whether an item was last modified, or deleted, before a time: as they never go back, no try was done that writes this time. */
function isOlder(item: Item | null | undefined, time: string): boolean {
  const { modified_at = '', deleted_at = '' } = (item ?? {}) as Record<string, string | undefined>;
  const last = deleted_at > modified_at ? deleted_at : modified_at;
  return last !== '' && last < time;
}
