import type { ApiError } from '../api-error.ts';

/**
 * For `catch` of what ends something: another tab, or a request whose answer was lost, has ended it before. The 404 of a
 * proxy, which has no request id, says nothing.
 */
export function unlessGone(error: unknown): void {
  const { code, requestId } = error as Partial<ApiError>;
  if (!requestId || code !== 'not_found') throw error;
}
