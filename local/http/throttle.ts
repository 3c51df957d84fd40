import type { Throttle } from '../../shared/model/throttle.ts';

/** A token bucket: `rate` requests per second, bursts of `burst`. Returns whether one more request may pass. */
export function tokenBucket({ rate, burst }: Throttle) {
  let tokens = burst;
  let filled = performance.now();
  return (): boolean => {
    const now = performance.now();
    tokens = Math.min(burst, tokens + ((now - filled) / 1000) * rate);
    filled = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
