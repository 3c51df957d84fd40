import { pause } from './client.ts';
import { StaleReadError } from './request-context.ts';

/**
 * Runs work again while what it read is stale, until the time of the request runs out: of several invocations that
 * write the same items, one comes second. Throws `temporarily_unavailable` when no time is left.
 *
 * @param onRerun called before each run after the first
 */
export async function retryWhileStale<T>(work: () => Promise<T>, onRerun?: () => void): Promise<T> {
  for (let attempt = 0; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StaleReadError)) throw error;
      await pause(Math.min(attempt, 4), error);
      onRerun?.();
    }
}
