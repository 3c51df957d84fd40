import type { ApiError } from '../model/errors.ts';
import { type Change, type Changes, changeItem } from './change.ts';
import { serviceUnavailable } from './client.ts';
import { and, type Condition, where } from './condition.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

/**
 * The modification time: now, but never before the previous one. The request that started first may write last, and
 * another machine's clock may be ahead; if the time went back, a client that polls for newer times would miss a change.
 */
export function modifiedAt(now: Date, { modified_at }: { modified_at: string }): string {
  const text = now.toISOString();
  return text > modified_at ? text : modified_at;
}

/** Requires that the item was not modified after this time. Part of every change of `modified_at`. */
export const notModifiedAfter = (modified_at: string): Condition =>
  where('attribute_not_exists(#modified_at) OR #modified_at <= :latest', { latest: modified_at });

/**
 * Updates an item without reading it first; the result is the item after the update. If the item has a later
 * modification time than now, that time is kept. Fails as `refusal` decides, which may make another change instead; or
 * with `temporarily_unavailable` if an attempt of unknown outcome was followed by one whose condition failed: it must
 * not be reported as refused, because its effect may have been visible.
 */
export function updateMonotonic<T extends Item>(
  { key, changes, condition }: { key: Key; changes: Changes; condition: Condition },
  now: Date,
  read: () => Promise<T | undefined>,
  refusal: (item: T | null) => ApiError | Change<T>,
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
        return outcomeUnknown ? serviceUnavailable(error) : refusal(item);
      },
    );
  return modify(now.toISOString(), false);
}

/**
 * True when the item belongs to another project (or none). The write cannot have applied, and the caller gets the same
 * response as for a missing item.
 */
const isOfAnotherProject = (
  item: Item | null | undefined,
  { values: { project_id } }: Condition,
): boolean => project_id !== undefined && item?.['project_id'] !== project_id;

/**
 * Whether an item was last modified or deleted before a time. Times never go back, so no attempt to write this time has
 * taken effect.
 */
function isOlder(item: Item | null | undefined, time: string): boolean {
  const { modified_at = '', deleted_at = '' } = (item ?? {}) as Record<string, string | undefined>;
  const last = deleted_at > modified_at ? deleted_at : modified_at;
  return last !== '' && last < time;
}
