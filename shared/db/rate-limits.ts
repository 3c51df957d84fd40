import { sourceOf } from '../model/client-network.ts';
import { normalizeEmail } from '../model/email.ts';
import { Failure } from '../model/errors.ts';
import { type Rate, rates } from '../model/limits.ts';
import {
  type Changes,
  type Condition,
  ConditionFailed,
  update,
  type Write,
  where,
} from './change.ts';
import { epochSeconds, type Item } from './item.ts';
import { currentRequest } from './request-context.ts';
import { type Key, keys } from './schema.ts';
import { ifConditionHolds, updateItem } from './transaction.ts';

/**
 * Counts one more of something by a subject, exactly, however many come at once. Throws `too_many_requests` with the
 * time until the window ends. Whoever counts first what may then turn out well gives it back by `giveBack`.
 */
export async function take(rate: Rate, subject: string, now: Date): Promise<void> {
  const { key, ends } = windowOf(rate, subject, now);
  const { max, seconds } = rates[rate];
  try {
    await countOnce(
      key,
      { count: { count: 1 }, set: { expires_at: ends + seconds } },
      where('attribute_not_exists(#pk) OR #count < :max', { max }),
    );
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw refusalOf(rate, ends, now);
  }
}

/** Counts by an item, once in a request, however often that runs again. Throws `ConditionFailed`. */
export function countOnce(key: Key, changes: Changes, condition: Condition): Promise<Item> {
  const { counts, backgroundWork } = currentRequest();
  const before = counts.get(key.pk);
  if (before) return before.counting;
  const counting = updateItem(key, changes, condition);
  counts.set(key.pk, { counting, refunded: false });
  // What fails beside it must not answer before it is counted.
  backgroundWork.push(counting);
  return counting;
}

/** Whether this request has counted by an item. */
export const isCounted = (key: Key): boolean => currentRequest().counts.has(key.pk);

/** A count that is written in the transaction of what it counts, and the refusal where there is no room for it. */
export type Counting = { write: Write; refusal: Failure };

/** Counts so many more by a subject together with what they are: exactly those are counted that take effect. */
export function countingOf(rate: Rate, subject: string, more: number, now: Date): Counting {
  const { key, ends } = windowOf(rate, subject, now);
  const { max, seconds } = rates[rate];
  return {
    write: update(
      key,
      { count: { count: more }, set: { expires_at: ends + seconds } },
      where('attribute_not_exists(#pk) OR #count <= :room', { room: max - more }),
    ),
    refusal: refusalOf(rate, ends, now),
  };
}

/** The failure of a count that is full until its window ends, in epoch seconds. */
export const refusalOf = (rate: Rate, ends: number, now: Date): Failure =>
  new Failure('too_many_requests', {
    retryAfter: Math.max(1, ends - epochSeconds(now)),
    detail: rates[rate].tells,
  });

/**
 * Takes one back that was counted by `take` in the same request, beside whatever that does next. Where it fails, one
 * too many stays counted.
 */
export function giveBack(rate: Rate, subject: string, now: Date): void {
  const { key } = windowOf(rate, subject, now);
  giveBackOnce(key, () =>
    updateItem(key, { add: { count: -1 } }, where('#count > :none', { none: 0 })),
  );
}

/** Does what takes a count by `countOnce` back, once, given the item as it was counted on. */
export function giveBackOnce(key: Key, give: (counted: Item) => Promise<unknown>): void {
  const { counts, backgroundWork } = currentRequest();
  const count = counts.get(key.pk);
  if (!count || count.refunded) return;
  count.refunded = true;
  backgroundWork.push(ifConditionHolds(count.counting.then(give)).catch(() => {}));
}

function windowOf(rate: Rate, subject: string, now: Date) {
  const { window, ends } = presentWindow(rate, now);
  return { key: keys.rate(rate, subject, window), ends };
}

/** The number of a rate's present window, and when it ends, in epoch seconds. */
export function presentWindow(rate: Rate, now: Date): { window: number; ends: number } {
  const { seconds } = rates[rate];
  const window = Math.floor(now.getTime() / 1_000 / seconds);
  return { window, ends: (window + 1) * seconds };
}

/** An account, by its e-mail: one that exists and one that does not are counted alike. */
export const accountOf = (project_id: string, email: string): string =>
  `${project_id} ${normalizeEmail(email)}`;

/** Where requests to a project come from. */
export const originOf = (project_id: string, address: string): string =>
  `${project_id} ${sourceOf(address)}`;
