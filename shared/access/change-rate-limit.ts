import { type Key, keys } from '../db/keys.ts';
import { runToVerify } from '../db/request-context.ts';
import { ApiError } from '../model/errors.ts';
import { rates } from '../model/rates.ts';
import { newLeasedLimit } from './leased-limit.ts';

/** What a person changes in a minute at one endpoint seldom costs a write. A hundred instances let in 500 so. */
const free = 5;
/** Few with each write, because what one of many instances has counted and does not use is lost to its user. */
const lease = 5;

/**
 * Creates a rate limiter of what a user does, so that nobody holds up what follows from the changes of others. An
 * instance lets in five of a minute uncounted, and then counts five with one write, and one by one at the end. So one
 * instance lets in the limit exactly, and each further one up to five more. If the count fails, the change does too.
 */
export function newUserRateLimit(
  rate: 'changesByOne' | 'signInsOfOne',
  keyOf: (subject: string, window: number) => Key,
) {
  const { max, seconds, detail } = rates[rate];
  const admit = newLeasedLimit({ seconds, free, toTheEnd: true, next: () => lease });

  /** Admits one more by a subject, or throws `too_many_requests`. */
  return async (subject: string, now: Date): Promise<void> => {
    const limited = { subject, keyOf: (window: number) => keyOf(subject, window), max: max - free };
    const retryAfter = await runToVerify(() => admit(limited, now));
    if (retryAfter !== undefined) throw new ApiError('too_many_requests', { retryAfter, detail });
  };
}

/** Creates the rate limiter of the changes of a user whose session is known to be live, by uid. */
export const newChangeRateLimit = () => newUserRateLimit('changesByOne', keys.changeRate);

/** The rate limiter of this instance. */
export const countChange = newChangeRateLimit();
