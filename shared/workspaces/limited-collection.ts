import { inChunks } from '../db/batch-write.ts';
import { type Changes, type Condition, del, where } from '../db/change.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { query } from '../db/query.ts';
import { keys } from '../db/schema.ts';
import { transact } from '../db/transaction.ts';
import { ApiError, type ErrorCode } from '../model/errors.ts';
import type { WorkspaceItem } from './items.ts';

/** Items of a workspace of which so many may be live, and which end by themselves in time. */
export type LimitedCollection = {
  prefix: string;
  /** Counts on the workspace. At least as many as are stored: one that DynamoDB deletes stays counted. */
  counter: 'join_link_count' | 'join_request_count';
  most: number;
  code: ErrorCode;
};

export type LimitedItem = Item & {
  /** Epoch seconds: the table's time to live, and the end of it for every reader. */
  expires_at: number;
};

export const isLive = ({ expires_at }: LimitedItem, now: Date): boolean =>
  expires_at > epochSeconds(now);

/** Holds while the workspace exists. */
export const workspaceExists = where('attribute_exists(#pk) AND attribute_not_exists(#deleted_at)');

/** Holds where there is no such item, or one that has ended. */
export const absentOrExpired = (now: Date): Condition =>
  where('attribute_not_exists(#pk) OR #expires_at <= :now', { now: epochSeconds(now) });

/** Every item of the range that is stored. */
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
 * How the workspace counts one more, and what must hold then: exactly so many are live, however many come at once. Only
 * where the count has reached the limit is it made anew, from what is there; what has ended is removed by that.
 * Throws the failure of the limit.
 */
export async function reserveSlot(
  workspace: WorkspaceItem,
  { prefix, counter, most, code }: LimitedCollection,
  now: Date,
): Promise<{ changes: Changes; condition: Condition }> {
  if ((workspace[counter] ?? 0) < most) {
    const room = where(`attribute_not_exists(#${counter}) OR #${counter} < :most`, { most });
    return { changes: { increment: { [counter]: 1 } }, condition: room };
  }
  const stored = await listStored(workspace.workspace_id, prefix);
  const live = stored.filter((item) => isLive(item, now)).length;
  if (live >= most) throw new ApiError(code);
  const ended = stored.filter((item) => !isLive(item, now));
  for (const some of inChunks(ended, transactionLimit))
    await transact(
      Object.fromEntries(some.map(({ pk, sk }) => [sk, del({ pk, sk }, absentOrExpired(now))])),
    );
  // Whatever adds or ends one of them tells a fact, so the number of facts is the version of the range.
  const { event_count } = workspace;
  const unchanged =
    event_count === undefined
      ? where('attribute_not_exists(#event_count)')
      : where('#event_count = :seen', { seen: event_count });
  return { changes: { set: { [counter]: live + 1 } }, condition: unchanged };
}
