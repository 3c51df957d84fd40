import { sha256 } from '../model/ids.ts';

/** Seconds from each attempt to the next: the first is made at once, and after the eighth there is none. */
export const retryDelays = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const;

/** A wait up to this many seconds is waited within the invocation. */
const maxShortDelay = 10;
/** So much longer a long wait may be, so that what failed together does not come back together. */
const jitter = 0.05;

/** When the attempt after the one numbered `attempt` is due, in epoch milliseconds; undefined where it was the last. */
export function nextAttempt(attempt: number, at: number, seed: string): number | undefined {
  const wait = retryDelays[attempt - 1];
  if (wait === undefined) return undefined;
  // From a digest, so that whoever works it out again gets the same.
  const digest = Buffer.from(sha256(`${seed} ${attempt}`), 'base64url');
  const share = wait <= maxShortDelay ? 0 : digest.readUInt8() / 255;
  return at + Math.round(wait * 1_000 * (1 + jitter * share));
}

/** Whether something due then is waited for, or left to a schedule. */
export const isShortDelay = (due: number, now: number): boolean =>
  due - now <= maxShortDelay * 1_000;
