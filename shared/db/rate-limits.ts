import { isIPv6 } from 'node:net';
import { clientNetwork, coarseNetwork } from '../model/client-network.ts';
import { normalizeEmail } from '../model/email.ts';
import { ApiError } from '../model/errors.ts';
import { type Rate, rates } from '../model/rates.ts';
import { getItem } from './batch-loader.ts';
import { type Changes, update, type Write } from './change.ts';
import { type Condition, where } from './condition.ts';
import { epochSeconds, type Item } from './item.ts';
import { type Key, keys } from './keys.ts';
import { currentRequest } from './request-context.ts';
import { ifConditionFails, ifConditionHolds, updateItem } from './transaction.ts';

/**
 * Counts one more use of a rate limit by a subject, exactly, even under concurrency, and returns how many there are in
 * the window. Throws `too_many_requests` with the time until the window ends. A caller that counts before an attempt
 * refunds a successful one with `refundRateLimit`.
 */
export async function consumeRateLimit(rate: Rate, subject: string, now: Date): Promise<number> {
  const { key, ends, changes, condition } = useOf(rate, subject, 1, now);
  const counted = await ifConditionFails(countOncePerRequest(key, changes, condition), () => {
    throw rateLimitExceeded(rate, ends, now);
  });
  return Number(counted['count']);
}

/** Counts on an item once in a request, however often the handler is rerun. Throws `ConditionFailed`. */
export function countOncePerRequest<T extends Item = Item>(
  key: Key,
  changes: Changes,
  condition: Condition,
): Promise<T> {
  const { counts, backgroundWork } = currentRequest();
  const before = counts.get(key.pk);
  if (before) return before.counting as Promise<T>;
  const counting = updateItem<T>(key, changes, condition);
  counts.set(key.pk, { counting, refunded: false });
  // A concurrent failure must not be sent to the client before this is counted.
  backgroundWork.push(counting);
  return counting;
}

/** Whether this request has counted on an item. */
export const isCounted = (key: Key): boolean => currentRequest().counts.has(key.pk);

/** A count written in the same transaction as the counted change, and the error when the limit is reached. */
export type RateLimitWrite = { write: Write; refusal: ApiError };

/**
 * Counts several uses by a subject in the same transaction as the change, so that exactly the changes that take effect
 * are counted.
 */
export function rateLimitWrite(
  rate: Rate,
  subject: string,
  more: number,
  now: Date,
): RateLimitWrite {
  const { key, ends, changes, condition } = useOf(rate, subject, more, now);
  return {
    write: update(key, changes, condition),
    refusal: rateLimitExceeded(rate, ends, now),
  };
}

/**
 * Counts one use now, also the second one of a subject within a request. False if none is left. For jobs, which do many
 * things at once and refuse nobody.
 */
export async function countUse(rate: Rate, subject: string, now: Date): Promise<boolean> {
  const { key, changes, condition } = useOf(rate, subject, 1, now);
  return ifConditionHolds(updateItem(key, changes, condition));
}

/** Takes back a use that `countUse` counted. */
export const uncountUse = (rate: Rate, subject: string, now: Date): Promise<boolean> =>
  ifConditionHolds(giveBack(windowOf(rate, subject, now).key));

/** Whether a subject has a use left: for work that leaves out what has none. `rateLimitWrite` counts it. */
export async function hasRoom(rate: Rate, subject: string, now: Date): Promise<boolean> {
  const counted = await getItem(windowOf(rate, subject, now).key);
  return Number(counted?.['count'] ?? 0) < rates[rate].max;
}

/** The error of a limit that is reached until its window ends, in epoch seconds. */
export const rateLimitExceeded = (rate: Rate, ends: number, now: Date): ApiError =>
  new ApiError('too_many_requests', {
    retryAfter: Math.max(1, ends - epochSeconds(now)),
    detail: rates[rate].detail,
  });

/**
 * Refunds one use counted by `consumeRateLimit` in the same request, in the background. If the refund fails, one use
 * too many stays counted.
 */
export function refundRateLimit(rate: Rate, subject: string, now: Date): void {
  const { key } = windowOf(rate, subject, now);
  refundOncePerRequest(key, () => giveBack(key));
}

const giveBack = (key: Key): Promise<Item> =>
  updateItem(key, { add: { count: -1 } }, where('#count > :none', { none: 0 }));

/** Runs the refund of a `countOncePerRequest` count, once, with the item at the time of the count. */
export function refundOncePerRequest(key: Key, give: (counted: Item) => Promise<unknown>): void {
  const { counts, backgroundWork } = currentRequest();
  const count = counts.get(key.pk);
  if (!count || count.refunded) return;
  count.refunded = true;
  backgroundWork.push(ifConditionHolds(count.counting.then(give)).catch(() => {}));
}

/** The update that counts so many uses, as long as so many are left. */
function useOf(rate: Rate, subject: string, more: number, now: Date) {
  const { key, ends, expires_at } = windowOf(rate, subject, now);
  return {
    key,
    ends,
    changes: { increment: { count: more }, set: { expires_at } },
    condition: where('attribute_not_exists(#pk) OR #count <= :room', {
      room: rates[rate].max - more,
    }),
  };
}

function windowOf(rate: Rate, subject: string, now: Date) {
  const { window, ...times } = presentWindow(rate, now);
  return { key: keys.rate(rate, subject, window), ...times };
}

/** The number of the current window of a rate, its end, and when its count may expire, in epoch seconds. */
export function presentWindow(rate: Rate, now: Date) {
  const { seconds } = rates[rate];
  const window = Math.floor(now.getTime() / 1_000 / seconds);
  return { window, ends: (window + 1) * seconds, expires_at: (window + 2) * seconds };
}

/** How an item counts the uses of its subject in the present window of a rate: in an attribute of that window. */
export function windowCounter(rate: Rate, now: Date) {
  const { window, ends, expires_at } = presentWindow(rate, now);
  const { max } = rates[rate];
  const name = `w${window}`;
  return {
    name,
    ends,
    expires_at,
    belowMax: where(`attribute_not_exists(#${name}) OR #${name} < :max`, { max }),
    countIn: (item: Item): number => Number(item[name] ?? 0),
    /** The attributes of windows that are over. */
    earlierIn: (item: Item): string[] =>
      countersIn(item).filter((each) => Number(each.slice(1)) < window),
  };
}

/** No further attempt is accepted: until a time in epoch seconds or, without one, until something else ends it. */
export type Lock = { wrong_attempts: number; until?: number };

/**
 * The lock of an item that counts attempts, those of the present window and those in a row. That of those in a row comes
 * first, because waiting does not end it.
 */
export function lockOf(
  rate: Rate,
  item: Item,
  { count, max }: { count: number; max: number },
  now: Date,
): Lock | undefined {
  if (count >= max) return { wrong_attempts: count };
  const { ends, countIn } = windowCounter(rate, now);
  const inWindow = countIn(item);
  return inWindow < rates[rate].max ? undefined : { wrong_attempts: inWindow, until: ends };
}

/** The attributes in which an item counts, of all windows. */
export const countersIn = (item: Item): string[] =>
  Object.keys(item).filter((name) => /^w\d+$/.test(name));

/** The rate limit key of an account, by e-mail: existing and missing accounts are counted alike. */
export const accountKey = (project_id: string, email: string): string =>
  `${project_id} ${normalizeEmail(email)}`;

/** The rate limit key of a client's network within a project. */
export const networkKey = (project_id: string, address: string): string =>
  `${project_id} ${clientNetwork(address)}`;

/** The rate limit key of the IPv6 networks around that of a client; undefined for an IPv4 address. */
export const siteKey = (project_id: string, address: string): string | undefined =>
  isIPv6(address) ? `${project_id} ${coarseNetwork(address)}` : undefined;
