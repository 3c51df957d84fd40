import { sha256 } from '../model/ids.ts';

/** Seconds from each attempt to the next. The first attempt is immediate; after the eighth there is no other. */
export const retryDelays = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const;

/** The longest delay, in seconds, that an invocation waits for by itself. */
const maxShortDelay = 10;
/** The shortest delay that is scheduled, in seconds. */
const minLongDelay = 300;
/**
 * The largest fraction by which a long delay is extended, so that deliveries that failed together are not retried
 * together.
 */
const jitter = 0.05;

/**
 * When the attempt after number `attempt` is due, in epoch milliseconds. Undefined if that was the last one.
 *
 * @param at end of the attempt in epoch milliseconds
 * @param seed of the jitter
 * @param failing whether the webhook is failing, so that the invocation does not wait for another attempt itself
 */
export function nextAttempt(
  attempt: number,
  at: number,
  seed: string,
  failing = false,
): number | undefined {
  const delay = retryDelays[attempt - 1];
  if (delay === undefined) return undefined;
  const wait = failing ? Math.max(delay, minLongDelay) : delay;
  // Derived from a digest instead of a random number, so that a repeated computation gives the same time.
  const digest = Buffer.from(sha256(`${seed} ${attempt}`), 'base64url');
  const share = wait <= maxShortDelay ? 0 : digest.readUInt8() / 255;
  return at + Math.round(wait * 1_000 * (1 + jitter * share));
}

/**
 * True if the invocation waits for this time itself; otherwise the attempt is scheduled. Both are epoch milliseconds.
 */
export const isShortDelay = (due: number, now: number): boolean =>
  due - now <= maxShortDelay * 1_000;
