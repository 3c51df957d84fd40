import { ApiError } from '../client/client.ts';
import { count, t, textOr } from './texts.ts';

/** What is wrong with a field of a form, or with no name the whole of it, in words. */
export class FieldError extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

export const isCode = (error: unknown, ...codes: ApiError['code'][]): error is ApiError =>
  error instanceof ApiError && codes.includes(error.code);

/**
 * For `catch` of what ends something: what another tab, or another person, has ended before is ended. The 404 of a proxy,
 * which has no request id, says nothing.
 */
export const unlessGone = (error: unknown): void => {
  if (!(isCode(error, 'not_found') && error.requestId)) throw error;
};

/** A failure in words for the person who sees it. */
export function wordsFor(error: unknown): string {
  if (error instanceof FieldError) return error.message;
  // `fetch` had no answer.
  if (!(error instanceof ApiError)) return t('error.network');
  const { code, retryAfter, requestId, problem } = error;
  if (code === 'too_many_requests') {
    if (retryAfter === undefined) return t('error.too_many_requests');
    return retryAfter > 90
      ? count('tooManyMinutes', Math.ceil(retryAfter / 60))
      : count('tooManySeconds', retryAfter);
  }
  // Who gives a role or a key more than they hold learns what they lack.
  if (Array.isArray(problem['missing']))
    return t('roleLacks', { permissions: problem['missing'].join(', ') });
  return textOr(`error.${code}`, t('error.other', { id: requestId }));
}
