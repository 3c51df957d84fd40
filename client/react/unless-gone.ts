import type { ApiError } from '../api-error.ts';

/** For `catch` of what ends something: another tab, or a request whose answer was lost, has ended it before. */
export function unlessGone(error: unknown): void {
  if ((error as Partial<ApiError>).code !== 'not_found') throw error;
}
