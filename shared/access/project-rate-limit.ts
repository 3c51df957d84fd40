import { keys } from '../db/keys.ts';
import { ApiError } from '../model/errors.ts';
import { rates } from '../model/rates.ts';
import { newLeasedLimit } from './leased-limit.ts';

const { max, seconds, detail } = rates.projectDoor;
/** Maximum number of requests counted with one write. */
const maxLease = 64;

/**
 * Creates the rate limiter for public routes, per project and route, so that a flood at one project's routes leaves
 * those of all others open. An instance counts several requests with one write, as many again as it has had: the first
 * request of a window costs nothing; the 2nd, 3rd, 5th, 9th, … one write each. So one request per window and instance
 * is never counted, and up to half of the share may be counted but not used.
 */
export function newProjectRateLimit() {
  const admit = newLeasedLimit({
    seconds,
    free: 1,
    toTheEnd: false,
    next: (leased) => Math.min(leased, maxLease),
  });

  /** Admits one more request to a route of a project, or throws `too_many_requests`. */
  return async (project_id: string, door: string, now: Date): Promise<void> => {
    const subject = `${project_id} ${door}`;
    const keyOf = (window: number) => keys.rate('projectDoor', subject, window);
    const retryAfter = await admit({ subject, keyOf, max }, now);
    if (retryAfter !== undefined) throw new ApiError('too_many_requests', { retryAfter, detail });
  };
}

/** The rate limiter of this instance. */
export const countProjectRequest = newProjectRateLimit();
