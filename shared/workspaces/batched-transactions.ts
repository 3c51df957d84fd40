import { getItem } from '../db/batch-loader.ts';
import { inChunks } from '../db/batch-write.ts';
import { assert, type Write } from '../db/change.ts';
import type { Condition } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { type Key, keys } from '../db/keys.ts';
import { query } from '../db/query.ts';
import { ifConditionFails, maxWrites, transact } from '../db/transaction.ts';

/** Items in one transaction: up to two writes each, and the check of the workspace. */
const batchSize = Math.floor((maxWrites - 1) / 2);
const pageSize = 4 * batchSize;

type Work<T> = {
  prefix: string;
  /** The attributes that the work needs, beside the key. */
  attributes: readonly string[];
  predicate: (item: T) => boolean;
  state: Condition;
};

/**
 * Processes a key range of a workspace in batches. Each batch is one transaction that requires `state` of the
 * workspace. A batch that lost a race is re-read and retried. Stops when the workspace changes state; the stream record
 * of that change restarts the job.
 *
 * One batch follows another: each checks the workspace, so two at once would conflict, and the items of a workspace are
 * one partition, which takes 1,000 write units a second. What the next ones need is read meanwhile.
 *
 * @param writesOf the writes of a batch; `unknown` holds the uids whose user item was missing in the previous attempt
 */
export async function forEachBatch<T extends Item>(
  workspace_id: string,
  { prefix, attributes, predicate, state }: Work<T>,
  writesOf: (
    batch: readonly T[],
    unknown: ReadonlySet<string>,
  ) => Record<string, Write> | Promise<Record<string, Write>>,
): Promise<void> {
  const readPage = (after?: Key) =>
    query<T>({
      partition: keys.workspace(workspace_id).pk,
      prefix,
      attributes: ['pk', 'sk', ...attributes],
      limit: pageSize,
      after,
    });
  const prepare = async (batch: readonly T[] = []) => writesOf(batch, new Set());

  let reading: ReturnType<typeof readPage> | undefined = readPage();
  while (reading) {
    const { items, next }: Awaited<ReturnType<typeof readPage>> = await reading;
    reading = next && ahead(readPage(next));
    const batches = inChunks(items.filter(predicate), batchSize);
    let preparing = ahead(prepare(batches[0]));
    for (const [i, batch] of batches.entries()) {
      const writes = await preparing;
      if (batches[i + 1]) preparing = ahead(prepare(batches[i + 1]));
      if ((await finish(batch, writes)) === 'workspace has changed') return;
    }
  }

  /** Writes a batch, as often as it loses a race. */
  async function finish(
    batch: readonly T[],
    prepared: Record<string, Write>,
  ): Promise<'written' | 'workspace has changed'> {
    const unknown = new Set<string>();
    let [left, writes] = [batch, prepared];
    for (;;) {
      const failed = await write(workspace_id, state, writes);
      if (!failed) return 'written';
      if ('workspace' in failed) return 'workspace has changed';
      for (const [name, item] of Object.entries(failed))
        if (item === null && name.startsWith('user ')) unknown.add(name.slice('user '.length));
      const read = await Promise.all(left.map(({ pk, sk }) => getItem<T>({ pk, sk })));
      left = read.filter((item) => item !== undefined).filter(predicate);
      if (left.length === 0) return 'written';
      writes = await writesOf(left, unknown);
    }
  }
}

/** Work that is awaited later, or never: if it fails before, that must not end the process. */
function ahead<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}

/** Writes one batch. Returns the conditions that failed, or undefined. */
async function write(workspace_id: string, state: Condition, writes: Record<string, Write>) {
  if (Object.keys(writes).length === 0) return undefined;
  const all = { workspace: assert(keys.workspace(workspace_id), state), ...writes };
  return ifConditionFails(
    transact(all).then(() => undefined),
    (failed) => failed,
  );
}
