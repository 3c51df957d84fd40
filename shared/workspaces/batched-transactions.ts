import { getItem } from '../db/batch-loader.ts';
import { inChunks } from '../db/batch-write.ts';
import { assert, ConditionFailed, type Write } from '../db/change.ts';
import type { Condition } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { query } from '../db/query.ts';
import { type Key, keys } from '../db/schema.ts';
import { maxWrites, transact } from '../db/transaction.ts';

/** Items in one transaction: up to two writes each, and the check of the workspace. */
const batchSize = Math.floor((maxWrites - 1) / 2);
const pageSize = 4 * batchSize;

/**
 * Processes a key range of a workspace in batches. Each batch is one transaction that requires `state` of the
 * workspace. A batch that lost a race is re-read and retried. Stops when the workspace changes state; the stream record
 * of that change restarts the job.
 *
 * One batch follows another: each checks the workspace, so two at once would conflict, and the items of a workspace are
 * one partition, which takes 1,000 write units a second.
 *
 * @param writesOf the writes of a batch; `unknown` holds the uids whose user item was missing in the previous attempt
 */
export async function forEachBatch<T extends Item>(
  workspace_id: string,
  { prefix, wanted, state }: { prefix: string; wanted: (item: T) => boolean; state: Condition },
  writesOf: (
    batch: readonly T[],
    unknown: ReadonlySet<string>,
  ) => Record<string, Write> | Promise<Record<string, Write>>,
): Promise<void> {
  const partition = keys.workspace(workspace_id).pk;
  let after: Key | undefined;
  for (;;) {
    const { items, more } = await query<T>({
      partition,
      prefix,
      limit: pageSize,
      ...(after && { after }),
    });
    for (let batch of inChunks(items.filter(wanted), batchSize)) {
      const unknown = new Set<string>();
      while (batch.length > 0) {
        const failed = await write(workspace_id, state, await writesOf(batch, unknown));
        if (!failed) break;
        if ('workspace' in failed) return;
        for (const [name, item] of Object.entries(failed))
          if (item === null && name.startsWith('user ')) unknown.add(name.slice('user '.length));
        const read = await Promise.all(batch.map(({ pk, sk }) => getItem<T>({ pk, sk })));
        batch = read.filter((item) => item !== undefined).filter(wanted);
      }
    }
    const last = items.at(-1);
    if (!more || !last) return;
    after = { pk: last.pk, sk: last.sk };
  }
}

/** Writes one batch. Returns the conditions that failed, or undefined. */
async function write(workspace_id: string, state: Condition, writes: Record<string, Write>) {
  if (Object.keys(writes).length === 0) return undefined;
  try {
    await transact({ workspace: assert(keys.workspace(workspace_id), state), ...writes });
    return undefined;
  } catch (error) {
    if (error instanceof ConditionFailed) return error.failed;
    throw error;
  }
}
