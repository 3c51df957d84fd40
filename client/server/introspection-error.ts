import { ApiError, isPassing } from '../api-error.ts';
import { unavailable } from './unavailable.ts';

/**
 * The service could not be asked whether the session of a token is live, so nothing can be said about the token.
 * Answer `status`: 503 where the caller may try again, 500 where your backend has to be repaired, as with a secret that
 * the service refuses. It is not the service's own status, which is about your backend: Express and Fastify would
 * answer that 401 to somebody whose token is good. What the service has said is the `cause`.
 */
export class IntrospectionError extends ApiError {
  /** `status`, under the name by which Fastify knows it. */
  declare readonly statusCode: 500 | 503;
  /** The 503, for Hono; a 500 is Hono's own, which it logs. */
  declare readonly getResponse?: () => Response;

  constructor(cause: unknown) {
    const apiError = cause instanceof ApiError ? cause : undefined;
    const passing = !apiError || isPassing(apiError) || apiError.status === 500;
    const status = passing ? 503 : 500;
    super(status, new Headers(), {
      code: passing ? 'temporarily_unavailable' : 'internal_error',
      detail: 'The service could not be asked whether the session is live.',
      request_id: apiError?.requestId ?? '',
    });
    const { retryAfter } = apiError ?? {};
    const ofHono = passing && { getResponse: () => unavailable(retryAfter) };
    Object.assign(this, { cause, statusCode: status, retryAfter, ...ofHono });
  }
}
