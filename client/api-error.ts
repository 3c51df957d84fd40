import type { Problem } from './generated/api.ts';

export type ErrorCode = Problem['code'];

/**
 * An error response of the service (RFC 9457). Decide by `code`, which never changes its meaning; `message` is for
 * people who develop.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  /** Every invalid field, with `code: 'invalid_request'`. */
  readonly errors: NonNullable<Problem['errors']>;
  /** Quote it when you report a problem. */
  readonly requestId: string;
  /** Seconds until the same request may succeed. */
  readonly retryAfter: number | undefined;
  /** The whole body: some codes add members, such as `member_id` of `already_member`. */
  readonly problem: Record<string, unknown>;

  constructor(status: number, headers: Headers, body: unknown) {
    const problem = isProblem(body) ? body : fromGateway(status, headers);
    super(`${problem.code}: ${problem.detail ?? problem.title ?? status}`);
    this.status = status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.requestId = problem.request_id;
    this.problem = problem;
    const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10);
    this.retryAfter = seconds >= 0 ? seconds : undefined;
  }
}

type Answered = Pick<Problem, 'code' | 'request_id'> & Partial<Problem>;

const isProblem = (body: unknown): body is Answered =>
  typeof body === 'object' && body !== null && 'code' in body && 'request_id' in body;

/** API Gateway and proxies answer by themselves, with a status and no code. */
const codes: Record<number, ErrorCode> = {
  400: 'invalid_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  413: 'content_too_large',
  429: 'too_many_requests',
};

const fromGateway = (status: number, headers: Headers): Answered => ({
  code: codes[status] ?? (status > 501 ? 'temporarily_unavailable' : 'internal_error'),
  request_id: headers.get('apigw-requestid') ?? '',
});
