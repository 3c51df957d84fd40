import { consumeRateLimit, networkKey, refundRateLimit } from '../db/rate-limits.ts';
import { recordingFailure } from '../stats/failures.ts';

/**
 * Starts an attempt to prove what a stranger could guess. It is counted among the failures of its network at once, so
 * that the count runs beside what the caller reads, and refunded once proven.
 */
export function startAttempt(project_id: string, { address }: { address: string }, now: Date) {
  const network = networkKey(project_id, address);
  const counted = consumeRateLimit('failuresFromOne', network, now);
  return {
    /** Throws `too_many_requests`. */
    counted,
    /**
     * Proves it, once counted. Throws `too_many_requests`, or what `run` throws.
     *
     * @param method as in the statistics, of the failures
     */
    async prove<Proven>(method: string, run: () => Promise<Proven>): Promise<Proven> {
      await counted;
      const proven = await recordingFailure({ project_id, method, subject: network }, now, run);
      refundRateLimit('failuresFromOne', network, now);
      return proven;
    },
  };
}
