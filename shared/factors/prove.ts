import { getItem } from '../db/batch-loader.ts';
import { type Changes, ConditionFailed } from '../db/change.ts';
import { and, type Condition, where } from '../db/condition.ts';
import { epochSeconds } from '../db/item.ts';
import {
  countOncePerRequest,
  isCounted,
  presentWindow,
  rateLimitExceeded,
} from '../db/rate-limits.ts';
import { keys } from '../db/schema.ts';
import { ApiError, invalidField } from '../model/errors.ts';
import { limits, rates } from '../model/limits.ts';
import { type ConfirmedFactor, type FactorItem, isConfirmed, secretOf } from './factors.ts';
import { digestOf } from './recovery-codes.ts';
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

/**
 * Counts a guess on the factor of a user before it is compared, across sessions and sign-ins, so that the limit also holds
 * under concurrency. Codes of the app are also counted in a row: a recovery code has too many bits to be guessed, and is
 * what a user has left whom somebody locked out. Throws `not_found`, `too_many_requests` or `factor_locked`.
 */
export async function countGuess(
  uid: string,
  kind: keyof Guess,
  now: Date,
  state: Condition = where('attribute_exists(#confirmed_at)'),
): Promise<FactorItem> {
  const key = keys.factor(uid);
  const missing = () => new ApiError('not_found', { reason: 'no such factor' });
  if (isCounted(key)) {
    const factor = await getItem<FactorItem>(key);
    if (!factor) throw missing();
    return factor;
  }
  const { window, ends } = presentWindow(rate, now);
  const name = windowName(window);
  const isCode = kind === 'code';
  const most = limits.wrongFactorCodesInARow;
  const inWindow = where(`attribute_not_exists(#${name}) OR #${name} < :max`, {
    max: rates[rate].max,
  });
  const inARow = where('attribute_not_exists(#tries) OR #tries < :most', { most });
  try {
    const counted = await countOncePerRequest(
      key,
      { increment: { [name]: 1, ...(isCode && { tries: 1 }) } },
      and(state, isCode ? and(inWindow, inARow) : inWindow),
    );
    return counted as FactorItem;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const found = error.failed['item'] as FactorItem | null | undefined;
    if (!found) throw missing();
    if (isLastGuess(found, now)) await warnOfGuesses(found, now);
    if (Number(found[name] ?? 0) >= rates[rate].max) throw rateLimitExceeded(rate, ends, now);
    if (isCode && isConfirmed(found) && (found.tries ?? 0) >= most)
      throw new ApiError('factor_locked');
    throw missing();
  }
}

/** Whether no other guess is accepted after those that a factor has counted. */
function isLastGuess(factor: FactorItem, now: Date): boolean {
  const inWindow = Number(factor[windowName(presentWindow(rate, now).window)] ?? 0);
  return inWindow >= rates[rate].max || (factor.tries ?? 0) >= limits.wrongFactorCodesInARow;
}

/** The changes that end a count after a right guess: it is refunded, and the series of wrong codes ends. */
export function endCount(factor: FactorItem, now: Date): Changes {
  const { window } = presentWindow(rate, now);
  const older = Object.keys(factor).filter(
    (each) => /^w\d+$/.test(each) && Number(each.slice(1)) < window,
  );
  return { set: { tries: 0 }, add: { [windowName(window)]: -1 }, remove: older };
}

const windowName = (window: number): string => `w${window}`;

/** The step of a code of the app of a factor. Throws `invalid_credentials` for a wrong or used one. */
export function requireStep(factor: FactorItem, code: string, key: Buffer, now: Date): number {
  const step = matchingStep(code, secretOf(factor, key), { now, after: factor.last_step });
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
 * ones. Throws `not_found` without a factor, `invalid_request`, `invalid_credentials`, `too_many_requests` or
 * `factor_locked`.
 */
export async function proveFactor(
  uid: string,
  guess: Guess,
  key: Buffer,
  now: Date,
): Promise<Proof> {
  requireOne(guess);
  const factor = await countGuess(uid, guess.code === undefined ? 'recovery_code' : 'code', now);
  // A further try of this request may find another state than the one that was counted.
  if (!isConfirmed(factor)) throw new ApiError('not_found', { reason: 'no such factor' });
  try {
    return compare(factor, guess, key, now);
  } catch (error) {
    if (isLastGuess(factor, now)) await warnOfGuesses(factor, now);
    throw error;
  }
}

/** Compares a guess that was counted. Throws `invalid_credentials`. */
function compare(
  factor: ConfirmedFactor,
  { code, recovery_code }: Guess,
  key: Buffer,
  now: Date,
): Proof {
  const { uid, factor_id, recovery_digests: digests } = factor;
  const ended = endCount(factor, now);
  const used = { ...ended.set, last_used_at: now.toISOString() };
  const same = where('#factor_id = :factor_id', { factor_id });
  if (code !== undefined) {
    const last_step = requireStep(factor, code, key, now);
    const unused = where('attribute_not_exists(#last_step) OR #last_step < :step', {
      step: last_step,
    });
    return {
      ...{ factor, recovered: false, condition: and(same, unused) },
      changes: { ...ended, set: { ...used, last_step } },
    };
  }
  const digest = digestOf(recovery_code ?? '', uid, key);
  if (!digests.includes(digest))
    throw new ApiError('invalid_credentials', { reason: 'a wrong recovery code, or a used one' });
  const left = digests.filter((each) => each !== digest);
  return {
    ...{ factor, recovered: true },
    condition: and(same, where('#recovery_digests = :digests', { digests })),
    changes: { ...ended, set: { ...used, recovery_digests: left } },
  };
}

/** True while an enrolment of a session has not ended: neither confirmed nor expired. */
export const isPending = (session_id: string, now: Date): Condition =>
  where(
    'attribute_not_exists(#confirmed_at) AND #session_id = :session_id AND #expires_at > :present',
    { session_id, present: epochSeconds(now) },
  );
