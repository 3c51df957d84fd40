import type { ApiError } from '../api-error.ts';

/**
 * For `catch` of what ends something: another tab, or a request whose answer was lost, has ended it before. The 404 of a
 * proxy, which has no request id, says nothing.
 */
export function unlessGone(error: Partial<ApiError>): void {
  if (!error.requestId || error.code !== 'not_found') throw error;
}
