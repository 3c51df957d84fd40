import { CommandFailure } from '../flags.ts';
import type { Answer } from './project-api.ts';

/**
 * The body of a response. Throws a `CommandFailure` if its status is not 200.
 *
 * @param request for the error message, such as `GET /roles`
 */
export function requireOk<T>(
  { status, body }: Pick<Answer, 'status' | 'body'>,
  request: string,
): T {
  if (status === 200) return body as T;
  throw new CommandFailure(`The service answers ${status} to ${request}: ${refusalOf(body)}`);
}

/** Why a request was rejected, from its problem document. */
export function refusalOf(body: unknown): string {
  const { detail, errors = [] } = Object(body) as {
    detail?: string;
    errors?: { pointer: string; detail: string }[];
  };
  const fields = errors.map(({ pointer, detail: what }) => `${pointer}: ${what}`);
  return [detail ?? 'no reason is given', ...fields].join('; ');
}
