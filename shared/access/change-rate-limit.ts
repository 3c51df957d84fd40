import { keys } from '../db/keys.ts';
import { runToVerify } from '../db/request-context.ts';
import { ApiError } from '../model/errors.ts';
import { rates } from '../model/rates.ts';
import { newLeasedLimit } from './leased-limit.ts';

const { max, seconds, detail } = rates.changesByOne;
/** What a person changes in a minute at one endpoint seldom costs a write. A hundred instances let in 500 so. */
const free = 5;
/** Few with each write, because what one of many instances has counted and does not use is lost to its user. */
const lease = 5;

/**
 * Creates the rate limiter of changes, per user, so that nobody holds up what follows from the changes of others. An
 * instance lets in five of a minute uncounted, and then counts five with one write, and one by one at the end. So one
 * instance lets in the limit exactly, and each further one up to five more. If the count fails, the change does too.
 */
export function newChangeRateLimit() {
  const admit = newLeasedLimit({ seconds, free, toTheEnd: true, next: () => lease });

  /** Admits one more change by a user whose session is known to be live, or throws `too_many_requests`. */
  return async (uid: string, now: Date): Promise<void> => {
    const keyOf = (window: number) => keys.changeRate(uid, window);
    const retryAfter = await runToVerify(() =>
      admit({ subject: uid, keyOf, max: max - free }, now),
    );
    if (retryAfter !== undefined) throw new ApiError('too_many_requests', { retryAfter, detail });
  };
}

/** The rate limiter of this instance. */
export const countChange = newChangeRateLimit();
