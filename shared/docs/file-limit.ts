import { ApiError } from '../model/errors.ts';
import { limits } from '../model/limits.ts';

const { max, seconds } = limits.documentationFiles;
let window = 0;
let sent = 0;

/**
 * Counts a large file of the documentation that this instance sends; throws `too_many_requests`. A megabyte costs its
 * operator a hundred times as much as a request, and anybody may ask. An instance sends one file at a time, so a flood
 * meets few instances. Nothing is counted in the table, to which these functions have no access.
 */
export function countFile(now: Date): void {
  const time = Math.floor(now.getTime() / 1_000);
  const current = Math.floor(time / seconds);
  if (current !== window) [window, sent] = [current, 0];
  if (sent >= max)
    throw new ApiError('too_many_requests', {
      retryAfter: (window + 1) * seconds - time,
      detail: 'Too many requests for the documentation',
    });
  sent += 1;
}
