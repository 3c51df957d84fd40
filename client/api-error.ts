import type { Problem } from './generated/api.ts';

/**
 * `mfa_required`: a second factor is needed. With status 200 it is of a sign-in, and `problem.mfa_token` is for
 * `POST /sessions/mfa`; with 403 a workspace asks for it.
 */
export type ErrorCode = Problem['code'];

/**
 * An error response of the service (RFC 9457). Decide by `code`, which never changes its meaning; `message` is for
 * people who develop.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  declare readonly status: number;
  declare readonly code: ErrorCode;
  /** Every invalid field, with `code: 'invalid_request'`. */
  declare readonly errors: NonNullable<Problem['errors']>;
  /** Quote it when you report a problem. */
  declare readonly requestId: string;
  /** Seconds until the same request may succeed. */
  declare readonly retryAfter: number | undefined;
  /** The whole body: some codes add members, such as `member_id` of `already_member`. */
  declare readonly problem: Partial<Problem> & Record<string, unknown>;

  constructor(status: number, headers: Headers, body: unknown) {
    const problem = isProblem(body)
      ? body
      : { ...(status < 300 && (body as object)), ...fromGateway(status, headers) };
    super(`${problem.code}: ${problem.detail ?? problem.title ?? status}`);
    this.status = status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.requestId = problem.request_id;
    this.problem = problem;
    const seconds = secondsIn(headers);
    this.retryAfter = seconds >= 0 ? seconds : undefined;
  }
}

/**
 * What Retry-After says (RFC 9110 section 10.2.3), in seconds; NaN if it says nothing. A date counts from the answer's
 * own, where a browser shows it: the clock of a device may be hours off.
 */
function secondsIn(headers: Headers): number {
  const header = String(headers.get('retry-after'));
  const now = Date.parse(String(headers.get('date'))) || Date.now();
  return /, /.test(header)
    ? Math.max(0, Math.ceil((Date.parse(header) - now) / 1_000))
    : Number.parseInt(header, 10);
}

/** Whether the service says that a session has ended. The 401 of somebody in between, as of a proxy, says nothing. */
export const isEnd = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 401 && error.requestId !== '';

/** Whether another access token may help. A wrong password is a 401 too, and a second try would count. */
export const isStale = (error: unknown): boolean =>
  error instanceof ApiError && /^(token_expired|unauthenticated)$/.test(error.code);

/** Whether the service, or what is in front of it, has too much to do or is away, which ends by itself. */
export const isPassing = ({ status }: ApiError): boolean => [429, 502, 503, 504].includes(status);

type Answered = { code: ErrorCode; request_id: string } & Partial<Omit<Problem, 'code'>>;

/** Every problem of the service has a request id and a code. Some proxies give an id too. */
const isProblem = (body: unknown): body is Answered =>
  (body as Partial<Answered> | null)?.code !== undefined &&
  (body as Partial<Answered>).request_id !== undefined;

/** API Gateway and proxies answer by themselves, with a status and no code. */
const codes: Record<number, ErrorCode> = {
  200: 'mfa_required',
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
