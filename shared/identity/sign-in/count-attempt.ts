import { consumeRateLimit, networkKey, refundRateLimit } from '../../db/rate-limits.ts';
import { ApiError } from '../../model/errors.ts';
import { recordingFailure } from '../../stats/failures.ts';
import type { RequestClient } from './sign-in.ts';

const rate = 'failuresFromOne';

/** An attempt of somebody who may be guessing, which is counted among the failures of their network. */
export type Attempt = {
  /** The network, as the statistics of failures know it. */
  network: string;
  /** How many failures of the network there are in the window, this attempt among them. */
  counted: number;
  /** Takes the attempt back: it was no failure, or none was made. */
  refund: () => void;
  /**
   * Makes the attempt, and takes it back if it succeeds, or if nothing could be compared: an outage of one provider must
   * not shut the network out of every other way to sign in. Throws what `prove` throws.
   *
   * @param method as in the statistics, of the failures
   */
  prove: <Proven>(method: string, prove: () => Promise<Proven>) => Promise<Proven>;
};

/**
 * Counts an attempt before it is made, so that the limit also holds under concurrency. Throws `too_many_requests`.
 */
export async function countAttempt(
  project_id: string,
  { address }: RequestClient,
  now: Date,
): Promise<Attempt> {
  const network = networkKey(project_id, address);
  const counted = await consumeRateLimit(rate, network, now);
  const refund = () => refundRateLimit(rate, network, now);
  return {
    network,
    counted,
    refund,
    async prove(method, prove) {
      try {
        const proven = await recordingFailure({ project_id, method, subject: network }, now, prove);
        refund();
        return proven;
      } catch (error) {
        if (error instanceof ApiError && error.code === 'temporarily_unavailable') refund();
        throw error;
      }
    },
  };
}
