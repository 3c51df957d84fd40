import { keys } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { customerNetwork } from '../model/client-network.ts';
import { ApiError } from '../model/errors.ts';
import { rates } from '../model/rates.ts';
import { newLeasedLimit } from './leased-limit.ts';

/** Maximum number of requests counted with one write. */
const maxLease = 64;

/** A limiter that counts with a write as many requests as there were before, after a number of `free` ones. */
const doubling = (rate: 'networkDoor' | 'projectDoor', free: number) =>
  newLeasedLimit({
    seconds: rates[rate].seconds,
    free,
    toTheEnd: false,
    next: (leased) => Math.min(leased, maxLease),
  });

/**
 * Creates the rate limiter of public routes. An instance counts several requests with one write, as many again as it
 * has had: for a project the first request of a window costs nothing, the 2nd, 3rd, 5th, 9th, … one write each. So one
 * request per window and instance is never counted, and up to half of a share may be counted but not used. The first
 * eight of a network cost nothing: so many come from a household, and a flood from many networks causes no writes here.
 */
export function newDoorRateLimit() {
  const limiters = {
    networkDoor: doubling('networkDoor', 8),
    projectDoor: doubling('projectDoor', 1),
  };

  /** Admits one more request of a subject, or throws `too_many_requests`. */
  return async (rate: keyof typeof limiters, subject: string, now: Date): Promise<void> => {
    const { max, detail } = rates[rate];
    const keyOf = (window: number) => keys.rate(rate, subject, window);
    const retryAfter = await limiters[rate]({ subject, keyOf, max }, now);
    if (retryAfter !== undefined) throw new ApiError('too_many_requests', { retryAfter, detail });
  };
}

/** The rate limiter of this instance. */
const count = newDoorRateLimit();

/** Counts a request to a route of a project by the client's network, or throws `too_many_requests`. */
export const countNetworkRequest = (
  project_id: string,
  door: string,
  address: string,
  now: Date,
): Promise<void> => count('networkDoor', `${project_id} ${door} ${customerNetwork(address)}`, now);

/**
 * Counts a request to a public route of a project, or throws `too_many_requests`. A flood leaves the routes of all other
 * projects open, and one from a single network leaves this route open to other networks: what is refused to a network
 * does not count for the project.
 */
export async function countDoorRequest(
  project_id: string,
  door: string,
  address: string,
  now: Date,
): Promise<void> {
  // So that the log names the project of a flood.
  currentRequest().subject = { project_id };
  await countNetworkRequest(project_id, door, address, now);
  await count('projectDoor', `${project_id} ${door}`, now);
}
