import type { ApiError } from './api-error.ts';

/** Milliseconds: an access token that is good for less is renewed before it is used. */
export const reserve = 30_000;

/** Milliseconds: one that is good for less is used no more, since its request may arrive too late. */
const least = 5_000;

/** Which access token to give. */
export type TokenOptions = {
  /** The one that your own backend has just refused: it is renewed, and not given again. */
  refused?: string | undefined;
};

/**
 * Makes what renews a token unless that fails while the token is still good: then it gives `null`, for the token to be
 * used. Until the time that Retry-After names, it asks for none as long as the token is good.
 */
export function createSpare() {
  let nextAt = 0;
  /** `left`: milliseconds that the token may still be used. */
  return async <T>(left: () => number, renew: () => Promise<T>): Promise<T | null> => {
    if (left() >= least && performance.now() < nextAt) return null;
    try {
      return await renew();
    } catch (error) {
      if (left() < least) throw error;
      nextAt = performance.now() + ((error as Partial<ApiError>).retryAfter ?? 0) * 1_000;
      return null;
    }
  };
}
