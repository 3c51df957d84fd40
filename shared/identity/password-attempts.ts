import { and, ConditionFailed, create, del, update, type Write, where } from '../db/change.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import {
  countOncePerRequest,
  presentWindow,
  rateLimitExceeded,
  refundOncePerRequest,
} from '../db/rate-limits.ts';
import { keys } from '../db/schema.ts';
import { ifConditionHolds, transact, updateItem } from '../db/transaction.ts';
import { newMail } from '../mail/mails.ts';
import { ApiError } from '../model/errors.ts';
import { lifetimes, limits, rates } from '../model/limits.ts';

/**
 * The tries at the password of an account, known by its e-mail: one that nobody has is counted, ended and mailed to in
 * the same way, so that nobody can tell. `w<n>` counts those of the window of that number, `total` those since the last
 * right one.
 */
type AttemptsItem = Item & {
  total: number;
  /** Epoch seconds; absent once signing in by password has ended, which no time lifts. */
  expires_at?: number;
  /** When the end was told by mail. */
  told_at?: string;
};

/** At whose password is tried. */
export type Account = { project_id: string; email: string };

const rate = 'passwordFailures';
const maxAttempts = limits.wrongPasswordsInARow;
/** Seconds after which the request of a last try has surely ended, and told what it has to. */
const surelyOver = 60;

const windowName = (window: number): string => `w${window}`;

/**
 * Counts a try at a password, before it is compared: however many come at once, no more of them are compared. Throws
 * `too_many_requests`, or `password_locked` after too many wrong ones in a row.
 */
export async function countAttempt(account: Account, now: Date): Promise<AttemptsItem> {
  const { window, ends } = presentWindow(rate, now);
  const name = windowName(window);
  try {
    const counted = await countOncePerRequest(
      keys.passwordTries(account),
      {
        increment: { [name]: 1, total: 1 },
        set: { expires_at: epochSeconds(now) + lifetimes.wrongPasswords },
      },
      and(
        where(`attribute_not_exists(#${name}) OR #${name} < :max`, { max: rates[rate].max }),
        where('attribute_not_exists(#total) OR #total < :most', { most: maxAttempts }),
      ),
    );
    return counted as AttemptsItem;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const tries = error.failed['item'] as AttemptsItem | null | undefined;
    if (!tries || tries.total < maxAttempts) throw rateLimitExceeded(rate, ends, now);
    if (isUnreported(tries, now)) await mailLockout(account, now);
    throw new ApiError('password_locked');
  }
}

/** Whether the request of the last try has died before it told the end. */
function isUnreported({ told_at, expires_at }: AttemptsItem, now: Date): boolean {
  if (told_at !== undefined || expires_at === undefined) return false;
  return expires_at - lifetimes.wrongPasswords + surelyOver <= epochSeconds(now);
}

/** Notes that a try, as it was counted, was wrong: the last of too many in a row is told by mail. */
export async function recordWrongPassword(
  account: Account,
  counted: AttemptsItem,
  now: Date,
): Promise<void> {
  if (counted.total >= maxAttempts) await mailLockout(account, now);
}

/**
 * Tells by mail that signing in by password has ended, and makes that last. Once, however many come at once. What sends
 * the mail looks whether there is such an account.
 */
async function mailLockout(account: Account, now: Date): Promise<void> {
  const { project_id, email: to } = account;
  const last = where('#total >= :most AND attribute_not_exists(#told_at)', { most: maxAttempts });
  const told = { set: { told_at: now.toISOString() }, remove: ['expires_at'] };
  // The request fails, and keeps this; unless another one has told it, or the password was right or set meanwhile.
  await ifConditionHolds(
    transact({
      tries: update(keys.passwordTries(account), told, last),
      mail: create(newMail('password_locked', { project_id, to }, now)),
    }),
  );
}

/**
 * Notes beside whatever the request does next that a try was right: it was none, and the row of wrong ones ends. Those
 * of the present window still count there. Where it fails, the try stays counted.
 */
export function recordRightPassword(account: Account, now: Date): void {
  const { window, ends } = presentWindow(rate, now);
  const name = windowName(window);
  const key = keys.passwordTries(account);
  refundOncePerRequest(key, (counted) => {
    const over = Object.keys(counted).filter(
      (each) => /^w\d+$/.test(each) && Number(each.slice(1)) < window,
    );
    const expires_at = ends + rates[rate].seconds;
    return updateItem(
      key,
      { add: { [name]: -1 }, set: { total: 0, expires_at }, remove: over },
      // What was told is lifted by mail only.
      where(`#${name} > :none AND attribute_not_exists(#told_at)`, { none: 0 }),
    );
  });
}

/** Forgets every try: part of the transaction that sets a new password by mail. */
export const resetAttempts = (account: Account): Write => del(keys.passwordTries(account));
