import { newLeasedLimit } from '../access/leased-limit.ts';
import type { Project } from '../access/projects.ts';
import { keys } from '../db/keys.ts';
import { lifetimes } from '../model/limits.ts';
import type { LiveKey } from './live-key.ts';

/**
 * Creates the rate limiter of API keys, for projects that set `api_key_rate_limit`. An instance counts 2 % of the limit
 * with one write, and one by one at the end. So never more requests than the limit are let in, and fewer only by the
 * 2 % that each instance may have counted for requests that go elsewhere then.
 */
export function newKeyRateLimit() {
  const admit = newLeasedLimit({
    seconds: lifetimes.apiKeyWindow,
    free: 0,
    toTheEnd: true,
    next: (_, max) => Math.max(1, Math.floor(max / 50)),
  });

  /** Admits one more request with a key, or returns the seconds until it may be used again. */
  return async (
    { api_key_rate_limit: max }: Pick<Project, 'api_key_rate_limit'>,
    { key: { key_id }, owner }: LiveKey,
    now: Date,
  ): Promise<number | undefined> => {
    if (max === undefined) return undefined;
    const keyOf = (window: number) => keys.apiKeyRate(owner.id, key_id, window);
    return admit({ subject: key_id, keyOf, max }, now);
  };
}

/** The rate limiter of this instance. */
export const countKeyRequest = newKeyRateLimit();
