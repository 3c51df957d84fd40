import { update, type Write } from '../db/change.ts';
import { currentRequest } from '../db/request-context.ts';
import { keys } from '../db/schema.ts';
import { updateItem } from '../db/transaction.ts';
import { ApiError, type ErrorCode } from '../model/errors.ts';
import { failureCounter, lockoutCounter } from './count-events.ts';
import { always, expiryOf } from './counters.ts';
import { dayOf } from './days.ts';
import { partOf } from './parts.ts';

/** The failures of a sign-in that are counted: the credential was wrong. */
const failures: readonly ErrorCode[] = ['invalid_credentials', 'identity_token_invalid'];

/** An attempt to sign in. The subject, such as a network, picks the part. */
type Attempt = { project_id: string; method: string; subject: string };

/**
 * Counts a failed sign-in, beside the refusal and whether or not there is such an account: 1 write unit. A count that
 * the table refuses is lost, and the refusal stands. Call it after the rate limit of the network: that, and that there
 * are as many items a day as parts, lets nobody fill the table.
 */
export function recordFailure({ project_id, method, subject }: Attempt, now: Date): void {
  const { key, set } = failuresOf(project_id, subject, now);
  const increment = { [failureCounter(method)]: 1 };
  const counting = updateItem(key, { increment, set }, always);
  currentRequest().backgroundWork.push(counting.catch(() => {}));
}

/** Runs a part of a sign-in, and counts it if it fails for its credential. */
export async function recordingFailure<T>(
  attempt: Attempt,
  now: Date,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ApiError && failures.includes(error.code)) recordFailure(attempt, now);
    throw error;
  }
}

/** Counts a lockout, in the transaction that records it. */
export function lockoutWrite(project_id: string, subject: string, now: Date): Write {
  const { key, set } = failuresOf(project_id, subject, now);
  return update(key, { increment: { [lockoutCounter]: 1 }, set }, always);
}

function failuresOf(project_id: string, subject: string, now: Date) {
  const day = dayOf(now.toISOString());
  return {
    key: keys.statsFailures(project_id, day, partOf(subject)),
    set: { expires_at: expiryOf(day) },
  };
}
