import { ApiError, isPassing } from './api-error.ts';

/** A server that asks for a longer pause has its answer thrown: a person would not wait so long. Seconds. */
const longestPause = 10;

/** What `fetch` throws in Cloudflare's workers, which is no TypeError. */
type Workers = { retryable?: boolean } | undefined;

/** Seconds until another try may help; undefined if none would. */
export function pauseAfter(failure: unknown, tries: number): number | undefined {
  // Full jitter: clients that failed together do not come back together.
  const backoff = Math.random() * 0.3 * 2 ** tries;
  // No answer: `fetch` has no connection, it broke, or somebody in between has answered.
  if (!(failure instanceof ApiError))
    return failure instanceof TypeError || (failure as Workers)?.retryable ? backoff : undefined;
  const { retryAfter = 0 } = failure;
  return isPassing(failure) && retryAfter <= longestPause
    ? Math.max(retryAfter, backoff)
    : undefined;
}

/** Waits; rejects with the reason of the signal as soon as that aborts. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop);
  });
}

/** What the promise gives, or the reason of the signal as soon as that aborts: the work goes on for others who wait. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason as Error);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
    void promise.then(resolve, reject).then(() => signal?.removeEventListener('abort', stop));
  });
}
