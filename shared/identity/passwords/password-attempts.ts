import { getItem } from '../../db/batch-loader.ts';
import { create, del, update, type Write } from '../../db/change.ts';
import { and, where } from '../../db/condition.ts';
import { epochSeconds, type Item } from '../../db/item.ts';
import { keys } from '../../db/keys.ts';
import {
  countOncePerRequest,
  type Lock,
  lockOf,
  rateLimitExceeded,
  refundOncePerRequest,
  windowCounter,
} from '../../db/rate-limits.ts';
import { ifConditionFails, ifConditionHolds, transact, updateItem } from '../../db/transaction.ts';
import { newMail } from '../../mail/mails.ts';
import { ApiError } from '../../model/errors.ts';
import { lifetimes, limits } from '../../model/limits.ts';
import { recordLockout } from '../../stats/failures.ts';

/**
 * The failed password attempts of an account, identified by its e-mail. An unknown e-mail is counted, locked and mailed
 * in the same way, so that nobody can tell whether it has an account. `w<n>` counts the attempts in window n, `total`
 * those since the last success.
 */
type AttemptsItem = Item & {
  total: number;
  /** Epoch seconds. Absent while the account is locked, because a lock does not expire. */
  expires_at?: number;
  /** When the lockout mail was written. */
  told_at?: string;
};

/** The account whose password is tried. */
export type Account = { project_id: string; email: string };

const rate = 'passwordFailures';
const maxAttempts = limits.wrongPasswordsInARow;
/** Seconds after which the request with the last attempt has surely ended. */
const surelyOver = 60;

/**
 * Counts an attempt before the password is compared, so that the limit also holds under concurrency. Throws
 * `too_many_requests`, or `password_locked` after too many failures in a row.
 */
export async function countPasswordAttempt(account: Account, now: Date): Promise<AttemptsItem> {
  const { name, ends, belowMax } = windowCounter(rate, now);
  const counting = countOncePerRequest<AttemptsItem>(
    keys.passwordTries(account),
    {
      increment: { [name]: 1, total: 1 },
      set: { expires_at: epochSeconds(now) + lifetimes.wrongPasswords },
    },
    and(belowMax, where('attribute_not_exists(#total) OR #total < :most', { most: maxAttempts })),
  );
  return ifConditionFails(counting, async ({ item }) => {
    const tries = item as AttemptsItem | null | undefined;
    if (!tries || tries.total < maxAttempts) throw rateLimitExceeded(rate, ends, now);
    if (isUnreported(tries, now)) await mailLockout(account, now);
    throw new ApiError('password_locked');
  });
}

/**
 * The attempts of this quarter of an hour, with this one. A right password takes back its own alone, so the number does
 * not tell whether somebody has signed in meanwhile, as `total` does.
 */
export const attemptsOfWindow = (counted: AttemptsItem, now: Date): number =>
  windowCounter(rate, now).countIn(counted);

/** Whether `countPasswordAttempt` refuses every attempt now. */
export async function passwordLock(account: Account, now: Date): Promise<Lock | undefined> {
  const tries = await getItem<AttemptsItem>(keys.passwordTries(account));
  return tries && lockOf(rate, tries, { count: tries.total, max: maxAttempts }, now);
}

/** True if the request with the last attempt died before it wrote the lockout mail. */
function isUnreported({ told_at, expires_at }: AttemptsItem, now: Date): boolean {
  if (told_at !== undefined || expires_at === undefined) return false;
  return expires_at - lifetimes.wrongPasswords + surelyOver <= epochSeconds(now);
}

/** Records that a counted attempt failed. The last allowed failure in a row sends the lockout mail. */
export async function recordWrongPassword(
  account: Account,
  counted: AttemptsItem,
  now: Date,
): Promise<void> {
  if (counted.total >= maxAttempts) await mailLockout(account, now);
}

/**
 * Locks the account's password for good and notifies the user by mail; once, even under concurrency. The mail function
 * checks whether the account exists.
 */
async function mailLockout(account: Account, now: Date): Promise<void> {
  const { project_id, email: to } = account;
  const last = where('#total >= :most AND attribute_not_exists(#told_at)', { most: maxAttempts });
  const changes = { set: { told_at: now.toISOString() }, remove: ['expires_at'] };
  // Written although the request fails. The condition fails if another request wrote it, or the password was correct or
  // set meanwhile.
  await ifConditionHolds(
    transact({
      tries: update(keys.passwordTries(account), changes, last),
      mail: create(newMail('password_locked', { project_id, to }, now)),
    }).then(() => recordLockout(project_id, to, now)),
  );
}

/**
 * Records that an attempt succeeded: it is refunded, and the series of failures ends. Earlier failures in the current
 * window still count there. Runs beside the rest of the request; if it fails, the attempt stays counted.
 */
export function recordRightPassword(account: Account, now: Date): void {
  const { name, earlierIn, expires_at } = windowCounter(rate, now);
  const key = keys.passwordTries(account);
  refundOncePerRequest(key, (counted) =>
    updateItem(
      key,
      { add: { [name]: -1 }, set: { total: 0, expires_at }, remove: earlierIn(counted) },
      // A lockout that was mailed can only be lifted by a password reset by mail.
      where(`#${name} > :none AND attribute_not_exists(#told_at)`, { none: 0 }),
    ),
  );
}

/**
 * Takes back an attempt that was counted and not made. If that fails, one too many stays counted. Nothing limits such
 * attempts of a network, so they must not leave a count that grows with each window, or that stays for a year.
 */
export function refundAttempt(account: Account, now: Date): void {
  const { name, earlierIn, expires_at } = windowCounter(rate, now);
  const key = keys.passwordTries(account);
  refundOncePerRequest(key, async (counted) => {
    const { total } = await updateItem(
      key,
      { add: { [name]: -1, total: -1 }, remove: earlierIn(counted) },
      where(`#${name} > :none AND #total > :none AND attribute_not_exists(#told_at)`, { none: 0 }),
    );
    if (total !== 0) return;
    // No series is left that would have to stay, unless another attempt has begun one meanwhile.
    await updateItem(key, { set: { expires_at } }, where('#total = :none', { none: 0 }));
  });
}

/** Deletes all attempts, in the transaction that sets a new password by mail. */
export const resetAttempts = (account: Account): Write => del(keys.passwordTries(account));
