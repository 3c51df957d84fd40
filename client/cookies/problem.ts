import { ApiError, type ErrorCode, isEnd } from '../api-error.ts';

const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** An error of the handler itself, in the form of the service's. */
export const refusal = (
  status: number,
  code: ErrorCode,
  detail: string,
  members: Record<string, unknown> = {},
): ApiError =>
  new ApiError(status, new Headers(), {
    type: 'about:blank',
    title: titles[status],
    status,
    detail,
    code,
    request_id: crypto.randomUUID(),
    ...members,
  });

/**
 * An error of a call of the service as an `ApiError`. No response counts as a 503 of the service, and so does a 401
 * that is not from the service.
 */
export const errorOf = (error: unknown): ApiError =>
  error instanceof ApiError && (error.status !== 401 || isEnd(error))
    ? error
    : refusal(503, 'temporarily_unavailable', 'The service could not be reached.');

/** The answer that passes an error on (RFC 9457), with the Retry-After of the service. */
export function toProblem({ status, code, retryAfter, problem }: ApiError): Response {
  const body = { type: 'about:blank', title: titles[status] ?? code, status, ...problem };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/problem+json',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
  });
}
