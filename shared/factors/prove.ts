import type { KeyObject } from 'node:crypto';
import { getItem } from '../db/batch-loader.ts';
import type { Changes } from '../db/change.ts';
import { and, type Condition, where } from '../db/condition.ts';
import { epochSeconds } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import {
  countersIn,
  countOncePerRequest,
  isCounted,
  type Lock,
  lockOf,
  rateLimitExceeded,
  windowCounter,
} from '../db/rate-limits.ts';
import { ifConditionFails } from '../db/transaction.ts';
import { ApiError, invalidField } from '../model/errors.ts';
import { limits } from '../model/limits.ts';
import { rates } from '../model/rates.ts';
import {
  type ConfirmedFactor,
  type FactorItem,
  getFactor,
  isConfirmed,
  totpSecretOf,
} from './factors.ts';
import { recoveryCodeDigest } from './recovery-codes.ts';
import { matchingStep } from './totp.ts';
import { warnOfGuesses } from './warn-of-guesses.ts';

/** What a user shows: a code of the app, or a recovery code. */
export type Guess = { code?: string | undefined; recovery_code?: string | undefined };

/** A factor that was proven. The proof is only used up in a transaction that has `changes` and `condition`. */
export type Proof = {
  factor: ConfirmedFactor;
  changes: Changes;
  condition: Condition;
  /** Whether it was a recovery code. */
  recovered: boolean;
};

const rate = 'factorFailures';

const missing = () => new ApiError('not_found', { reason: 'no such factor' });

/**
 * Counts a code of the app on the factor of a user before it is compared, across sessions and sign-ins, so that the
 * limits also hold under concurrency: of a window, and in a row. Throws `not_found`, `too_many_requests` or
 * `factor_locked`.
 *
 * @param enrolling the session or sign-in that confirms the factor. Throws `factor_exists` once it is confirmed.
 */
export async function countGuess(uid: string, now: Date, enrolling?: string): Promise<FactorItem> {
  const key = keys.factor(uid);
  if (isCounted(key)) {
    const factor = await getItem<FactorItem>(key);
    if (!factor) throw missing();
    return factor;
  }
  const state =
    enrolling === undefined ? where('attribute_exists(#confirmed_at)') : isPending(enrolling, now);
  const { name, ends, belowMax, countIn } = windowCounter(rate, now);
  const maxTries = limits.wrongFactorCodesInARow;
  const inARow = where('attribute_not_exists(#tries) OR #tries < :max_tries', {
    max_tries: maxTries,
  });
  const counting = countOncePerRequest<FactorItem>(
    key,
    { increment: { [name]: 1, tries: 1 } },
    and(state, belowMax, inARow),
  );
  return ifConditionFails(counting, async ({ item }) => {
    const found = item as FactorItem | null | undefined;
    if (!found) throw missing();
    if (enrolling !== undefined && isConfirmed(found)) throw new ApiError('factor_exists');
    if (factorLock(found, now)) await warnOfGuesses(found, now);
    // The lock first: its end is none that one can wait for.
    if (isConfirmed(found) && (found.tries ?? 0) >= maxTries) throw new ApiError('factor_locked');
    if (countIn(found) >= rates[rate].max) throw rateLimitExceeded(rate, ends, now);
    throw missing();
  });
}

/** Whether no other guess is accepted after those that a factor has counted. */
export const factorLock = (factor: FactorItem, now: Date): Lock | undefined =>
  lockOf(rate, factor, { count: factor.tries ?? 0, max: limits.wrongFactorCodesInARow }, now);

/** The changes that end a count after a right code: it is refunded, and the series of wrong codes ends. */
export function endCount(factor: FactorItem, now: Date): Changes {
  const { name, earlierIn } = windowCounter(rate, now);
  // A right code of the next window may have removed this one.
  return { set: { tries: 0 }, increment: { [name]: -1 }, remove: earlierIn(factor) };
}

/** The step of a code of the app of a factor. Throws `invalid_credentials` for a wrong or used one. */
export function requireStep(factor: FactorItem, code: string, key: KeyObject, now: Date): number {
  const step = matchingStep(code, totpSecretOf(factor, key), { now, after: factor.last_step });
  if (step === undefined)
    throw new ApiError('invalid_credentials', { reason: 'a wrong code, or one that was used' });
  return step;
}

/** Throws `invalid_request` unless there is either a code or a recovery code. */
function requireOne({ code, recovery_code }: Guess): void {
  if ((code === undefined) === (recovery_code === undefined))
    throw invalidField('/body/code', 'Must have either code or recovery_code');
}

/**
 * Verifies a code of the app or a recovery code of a user, who has a factor. The user is told by mail of too many wrong
 * codes. A recovery code is not counted: it has more than the 64 bits from which on NIST SP 800-63B asks for no limit,
 * and is what a user has left whom somebody locked out. Throws `not_found` without a factor, `invalid_request`,
 * `invalid_credentials`, `too_many_requests` or `factor_locked`.
 */
export async function proveFactor(
  uid: string,
  guess: Guess,
  key: KeyObject,
  now: Date,
): Promise<Proof> {
  requireOne(guess);
  const { code, recovery_code = '' } = guess;
  const factor = code === undefined ? await getFactor(uid) : await countGuess(uid, now);
  // A further try of this request may find another state than the one that was counted.
  if (!factor || !isConfirmed(factor)) throw missing();
  if (code === undefined) return compareRecoveryCode(factor, recovery_code, key, now);
  try {
    return compareCode(factor, code, key, now);
  } catch (error) {
    if (factorLock(factor, now)) await warnOfGuesses(factor, now);
    throw error;
  }
}

/** Compares a code of the app that was counted. Throws `invalid_credentials`. */
function compareCode(factor: ConfirmedFactor, code: string, key: KeyObject, now: Date): Proof {
  const { factor_id } = factor;
  const ended = endCount(factor, now);
  const last_step = requireStep(factor, code, key, now);
  const unused = where('attribute_not_exists(#last_step) OR #last_step < :step', {
    step: last_step,
  });
  return {
    factor,
    recovered: false,
    condition: and(where('#factor_id = :factor_id', { factor_id }), unused),
    changes: { ...ended, set: { ...ended.set, last_used_at: now.toISOString(), last_step } },
  };
}

/** Compares a recovery code, which ends all counts of codes of the app. Throws `invalid_credentials`. */
function compareRecoveryCode(
  factor: ConfirmedFactor,
  recovery_code: string,
  key: KeyObject,
  now: Date,
): Proof {
  const { uid, factor_id, recovery_digests: digests } = factor;
  const digest = recoveryCodeDigest(recovery_code, uid, key);
  if (!digests.includes(digest))
    throw new ApiError('invalid_credentials', { reason: 'a wrong recovery code, or a used one' });
  const left = digests.filter((each) => each !== digest);
  const factorUnchanged = where('#factor_id = :factor_id AND #recovery_digests = :digests', {
    factor_id,
    digests,
  });
  return {
    factor,
    recovered: true,
    condition: factorUnchanged,
    changes: {
      set: { tries: 0, last_used_at: now.toISOString(), recovery_digests: left },
      // At most as many as there may be wrong codes in a row.
      remove: countersIn(factor),
    },
  };
}

/** True while an enrolment of a session has not ended: neither confirmed nor expired. */
export const isPending = (session_id: string, now: Date): Condition =>
  where(
    'attribute_not_exists(#confirmed_at) AND #session_id = :session_id AND #expires_at > :present',
    { session_id, present: epochSeconds(now) },
  );
