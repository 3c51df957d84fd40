import { clientNetwork } from '../model/client-network.ts';
import { normalizeEmail } from '../model/email.ts';
import { ApiError } from '../model/errors.ts';
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
 * time until the window ends. Whoever counts first what may then turn out well gives it back by `refundRateLimit`.
 */
export async function consumeRateLimit(rate: Rate, subject: string, now: Date): Promise<void> {
  const { key, ends } = windowOf(rate, subject, now);
  const { max, seconds } = rates[rate];
  try {
    await countOncePerRequest(
      key,
      { increment: { count: 1 }, set: { expires_at: ends + seconds } },
      where('attribute_not_exists(#pk) OR #count < :max', { max }),
    );
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw rateLimitExceeded(rate, ends, now);
  }
}

/** Counts by an item, once in a request, however often that runs again. Throws `ConditionFailed`. */
export function countOncePerRequest(
  key: Key,
  changes: Changes,
  condition: Condition,
): Promise<Item> {
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
export type RateLimitWrite = { write: Write; refusal: ApiError };

/** Counts so many more by a subject together with what they are: exactly those are counted that take effect. */
export function rateLimitWrite(
  rate: Rate,
  subject: string,
  more: number,
  now: Date,
): RateLimitWrite {
  const { key, ends } = windowOf(rate, subject, now);
  const { max, seconds } = rates[rate];
  return {
    write: update(
      key,
      { increment: { count: more }, set: { expires_at: ends + seconds } },
      where('attribute_not_exists(#pk) OR #count <= :room', { room: max - more }),
    ),
    refusal: rateLimitExceeded(rate, ends, now),
  };
}

/** The failure of a count that is full until its window ends, in epoch seconds. */
export const rateLimitExceeded = (rate: Rate, ends: number, now: Date): ApiError =>
  new ApiError('too_many_requests', {
    retryAfter: Math.max(1, ends - epochSeconds(now)),
    detail: rates[rate].detail,
  });

/**
 * Takes one back that was counted by `consumeRateLimit` in the same request, beside whatever that does next. Where it fails, one
 * too many stays counted.
 */
export function refundRateLimit(rate: Rate, subject: string, now: Date): void {
  const { key } = windowOf(rate, subject, now);
  refundOncePerRequest(key, () =>
    updateItem(key, { add: { count: -1 } }, where('#count > :none', { none: 0 })),
  );
}

/** Does what takes a count by `countOncePerRequest` back, once, given the item as it was counted on. */
export function refundOncePerRequest(key: Key, give: (counted: Item) => Promise<unknown>): void {
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
export const accountKey = (project_id: string, email: string): string =>
  `${project_id} ${normalizeEmail(email)}`;

/** Where requests to a project come from. */
export const networkKey = (project_id: string, address: string): string =>
  `${project_id} ${clientNetwork(address)}`;
