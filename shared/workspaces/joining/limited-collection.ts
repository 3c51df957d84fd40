import { inChunks } from '../../db/batch-write.ts';
import { type Changes, del } from '../../db/change.ts';
import { attributeUnchanged, type Condition, or, where } from '../../db/condition.ts';
import { epochSeconds } from '../../db/item.ts';
import { keys } from '../../db/keys.ts';
import { query } from '../../db/query.ts';
import { transact } from '../../db/transaction.ts';
import { type ErrorCode } from '../../model/error-codes.ts';
import { ApiError } from '../../model/errors.ts';
import { type EndingItem, isSinceRestored, type WorkspaceItem } from '../items.ts';

/** A kind of item of a workspace that expires by itself, with a limit of live ones. */
export type LimitedCollection = {
  prefix: string;
  /** The counter on the workspace. An upper bound for the stored items: it still counts those that DynamoDB deleted. */
  counter: 'join_link_count' | 'join_request_count';
  max: number;
  code: ErrorCode;
};

export type LimitedItem = EndingItem & {
  /** Epoch seconds. The TTL of the table; every reader also treats the item as expired from then on. */
  expires_at: number;
};

/** True if the item has neither expired nor ended with a deletion of its workspace. */
export const isLiveItem = (item: LimitedItem, workspace: WorkspaceItem, now: Date): boolean =>
  item.expires_at > epochSeconds(now) && isSinceRestored(item, workspace);

/** True if the item does not exist, or `isLiveItem` is false. */
export function absentOrEnded({ generation }: WorkspaceItem, now: Date): Condition {
  const expired = where('attribute_not_exists(#pk) OR #expires_at <= :now', {
    now: epochSeconds(now),
  });
  if (generation === undefined) return expired;
  const earlier = 'attribute_not_exists(#generation) OR #generation < :generation';
  return or(expired, where(earlier, { generation }));
}

/** All stored items of the kind, ended ones included: check `isLiveItem`. */
export async function listStored<T extends LimitedItem>(
  workspace_id: string,
  prefix: string,
): Promise<T[]> {
  const partition = keys.workspace(workspace_id).pk;
  return (await query<T>({ partition, prefix })).items;
}

/** DynamoDB's limit of items in one transaction. */
const transactionLimit = 100;

/**
 * Returns how to count one more item on the workspace, and the condition for it. The limit of live items is exact, even
 * under concurrency. The items are only counted again when the counter has reached the limit; ended ones are then
 * deleted. Throws the error of the limit.
 */
export async function reserveSlot(
  workspace: WorkspaceItem,
  { prefix, counter, max, code }: LimitedCollection,
  now: Date,
): Promise<{ changes: Changes; condition: Condition }> {
  if ((workspace[counter] ?? 0) < max) {
    const room = where(`attribute_not_exists(#${counter}) OR #${counter} < :most`, { most: max });
    return { changes: { increment: { [counter]: 1 } }, condition: room };
  }
  const stored = await listStored(workspace.workspace_id, prefix);
  const live = stored.filter((item) => isLiveItem(item, workspace, now)).length;
  if (live >= max) throw new ApiError(code);
  const ended = stored.filter((item) => !isLiveItem(item, workspace, now));
  for (const some of inChunks(ended, transactionLimit))
    await transact(
      Object.fromEntries(
        some.map(({ pk, sk }) => [sk, del({ pk, sk }, absentOrEnded(workspace, now))]),
      ),
    );
  // Every write that adds or ends an item also adds an event, so `event_count` serves as the version of the collection.
  const condition = attributeUnchanged('event_count', workspace.event_count);
  return { changes: { set: { [counter]: live + 1 } }, condition };
}
