import { keys } from '../db/keys.ts';
import { updateInBackground } from '../db/update-in-background.ts';
import { type ErrorCode } from '../model/error-codes.ts';
import { ApiError } from '../model/errors.ts';
import { failureCounter, lockoutCounter } from './count-events.ts';
import { always, expiryOf } from './counters.ts';
import { dayOf } from './days.ts';
import { partOf } from './parts.ts';

/** The failures of a sign-in that are counted: the credential was wrong. */
const failures: readonly ErrorCode[] = ['invalid_credentials', 'identity_token_invalid'];

/** An attempt to sign in. The subject, such as a network, picks the part. */
type Attempt = { project_id: string; method: string; subject: string };

/**
 * Counts a failed sign-in, beside the refusal and whether or not there is such an account: 1 write unit. Call it
 * after the rate limit of the network: that, and that there are as many items a day as parts, lets nobody fill the
 * table.
 */
export function recordFailure({ project_id, method, subject }: Attempt, now: Date): void {
  count(project_id, subject, failureCounter(method), now);
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

/** Counts a lockout, after the transaction that records it, which only one request writes. */
export function recordLockout(project_id: string, subject: string, now: Date): void {
  count(project_id, subject, lockoutCounter, now);
}

/** Adds one in the background: a count that the table refuses is lost. */
function count(project_id: string, subject: string, counter: string, now: Date): void {
  const day = dayOf(now.toISOString());
  const key = keys.statsFailures(project_id, day, partOf(subject));
  const changes = { increment: { [counter]: 1 }, set: { expires_at: expiryOf(day) } };
  updateInBackground(key, changes, always);
}
