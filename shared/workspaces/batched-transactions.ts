import { getItem } from '../db/batch-loader.ts';
import { inChunks } from '../db/batch-write.ts';
import { assert, type Condition, ConditionFailed, type Write } from '../db/change.ts';
import type { Item } from '../db/item.ts';
import { query } from '../db/query.ts';
import { type Key, keys } from '../db/schema.ts';
import { transact } from '../db/transaction.ts';

/** How many go into one transaction: two writes each, and what they are all held to. */
const batchSize = 20;
const pageSize = 200;

/**
 * Goes through a range of a workspace, some items at a time. Each lot is one transaction, held to the state of the
 * workspace: `writesOf` says what it writes, with the uids of those whose user there was none of when it was tried. A
 * lot of which something changed meanwhile is read anew. Stops where the workspace has another state by now: the
 * stream tells of that too.
 */
export async function forEachBatch<T extends Item>(
  workspace_id: string,
  { prefix, wanted, state }: { prefix: string; wanted: (item: T) => boolean; state: Condition },
  writesOf: (
    lot: readonly T[],
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
    for (let lot of inChunks(items.filter(wanted), batchSize)) {
      const unknown = new Set<string>();
      while (lot.length > 0) {
        const failed = await write(workspace_id, state, await writesOf(lot, unknown));
        if (!failed) break;
        if ('workspace' in failed) return;
        for (const [name, item] of Object.entries(failed))
          if (item === null && name.startsWith('user ')) unknown.add(name.slice('user '.length));
        const read = await Promise.all(lot.map(({ pk, sk }) => getItem<T>({ pk, sk })));
        lot = read.filter((item) => item !== undefined).filter(wanted);
      }
    }
    const last = items.at(-1);
    if (!more || !last) return;
    after = { pk: last.pk, sk: last.sk };
  }
}

/** Writes a lot, and answers which of its conditions failed, if any. */
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
