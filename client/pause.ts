import { ApiError, isPassing } from './api-error.ts';

/** A server that asks for a longer pause has its answer thrown: a person would not wait so long. Seconds. */
const longestPause = 10;

/** What `fetch` throws without an answer, if that is no TypeError: Cloudflare's workers, and Bun before 1.4. */
type Thrown = { retryable?: boolean; code?: string | number };

/** Seconds until another try may help; undefined if none would. */
export function pauseAfter(failure: unknown, tries: number): number | undefined {
  const { retryAfter = 0, retryable, code } = (failure ?? {}) as Partial<ApiError> & Thrown;
  if (
    retryAfter <= longestPause &&
    (failure instanceof ApiError
      ? isPassing(failure)
      : // No answer: `fetch` has no connection, it broke, or somebody in between has answered. The code of an error that
        // ends a call is a number.
        failure instanceof TypeError || retryable || typeof code === 'string')
  )
    // Full jitter: clients that failed together do not come back together.
    return Math.max(retryAfter, Math.random() * 0.3 * 2 ** tries);
  return undefined;
}

/** Waits; rejects with the reason of the signal as soon as that aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return unlessAborted(wait, signal).finally(() => clearTimeout(timer));
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
