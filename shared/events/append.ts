import { create, update, type Write } from '../db/change.ts';
import { absent, attributesUnchanged, attributeUnchanged } from '../db/condition.ts';
import { keys } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { transact } from '../db/transaction.ts';
import { canonicalJson } from '../model/canonical-json.ts';
import type { Event } from '../model/events.ts';
import { countEvents, type Totals } from '../stats/count-events.ts';
import { type Before, countersWrites } from '../stats/counters.ts';
import { chainHash } from './hash-chain.ts';
import { expiry, type FeedHead, type LogHead } from './log.ts';

/** An event to append to the log of a partition. */
export type Numbered = { partition: string; number: number; event: Event };

/** How one batch advances a log, relative to the head that was read. */
export type LogAdvance = Pick<LogHead, 'told' | 'number' | 'recent'> & {
  partition: string;
  missing: number[];
  seen: LogHead | undefined;
  /** True if the item is deleted. Its log head then expires together with its events. */
  deleted: boolean;
  /** What the item adds to the totals of its project from now on; undefined if that is not known. */
  totals: Totals | undefined;
};

/**
 * Appends at most 10 events to their logs and to the feed of their project, and counts them in its statistics, all or
 * nothing, in the order in which the items carried them. Throws `StaleReadError` if another invocation appended first.
 *
 * @param feed the end of the feed, as read
 */
export async function appendEvents(
  project_id: string,
  events: readonly Numbered[],
  steps: readonly LogAdvance[],
  feed: FeedHead | undefined,
): Promise<void> {
  const end = feed?.position ?? 0;
  const expires_at = expiry();
  const counts = countEvents(events, steps);
  const writes: Record<string, Write> = {};
  const hashes = new Map(steps.map(({ partition, seen }) => [partition, seen?.hash ?? '']));
  for (const [i, { partition, number, event }] of events.entries()) {
    const position = end + 1 + i;
    const previous_hash = hashes.get(partition) ?? '';
    const hash = chainHash({ number, event, previous_hash });
    hashes.set(partition, hash);
    const text = canonicalJson(event);
    const link = { event: text, previous_hash, hash, position, expires_at };
    writes[`log ${i}`] = create({ ...keys.logEntry(partition, number), ...link });
    const entry = { event: text, expires_at };
    writes[`feed ${i}`] = create({ ...keys.feedEntry(project_id, position), ...entry });
  }
  for (const { partition, seen, told, number, recent, missing, deleted } of steps) {
    const awaited = missing.length > 0 ? missing : undefined;
    const hash = hashes.get(partition);
    const changes = {
      set: {
        project_id,
        told,
        number,
        hash,
        recent,
        missing: awaited,
        ...counts.counted.get(partition),
        ...(deleted && { expires_at }),
      },
      remove: [...(awaited ? [] : ['missing']), ...(deleted ? [] : ['expires_at'])],
    };
    const key = keys.logHead(partition);
    writes[`head ${partition}`] = update(key, changes, headUnchanged(seen));
  }
  if (events.length > 0)
    writes['end'] = update(
      keys.feedHead(project_id),
      { set: { position: end + events.length, counted: end + events.length } },
      attributeUnchanged('position', feed?.position),
    );
  const { now } = currentRequest();
  const [first] = steps;
  Object.assign(
    writes,
    countersWrites(project_id, counts, countedBefore(feed), now, first?.partition),
  );
  await transact(writes, { rereadOnConflict: true });
}

/** Whether the events so far are counted: those that a release before 0.10.0 appended are not. */
export function countedBefore(feed: FeedHead | undefined): Before {
  if (!feed) return 'nothing';
  return feed.counted === feed.position ? 'counted' : 'uncounted';
}

/**
 * True while the head is as it was read. All are compared: a late event advances only `number`, a duplicate only
 * `told`, a renewed session only `active_days`.
 */
export function headUnchanged(seen: LogHead | undefined) {
  if (!seen) return absent;
  return attributesUnchanged(seen, ['told', 'number', 'counted', 'active_days']);
}
