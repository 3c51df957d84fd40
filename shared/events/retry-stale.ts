import { pause } from '../db/client.ts';
import { currentRequest, StaleReadError } from '../db/request-context.ts';

/**
 * Runs work again while what it read is stale, until the time of the request runs out: of several invocations that
 * write the same items, one comes second.
 */
export async function retryWhileStale(work: () => Promise<void>): Promise<void> {
  const { deadline, signal } = currentRequest();
  for (let attempt = 0; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StaleReadError)) throw error;
      await pause(Math.min(attempt, 4), deadline, signal, error);
    }
}
