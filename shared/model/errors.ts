import { type ErrorCode, errorCodes } from './error-codes.ts';
import type { ProblemMembers } from './problem-members.ts';

/** One invalid field. `pointer` is a JSON Pointer (RFC 6901) into `{path, query, body, headers}` of the request. */
export type FieldError = { pointer: string; detail: string };

/** Details of an error beside its code. */
type ErrorDetails = {
  detail?: string;
  /** The specific reason, a constant text without personal data. Logged, never sent to the client. */
  reason?: string;
  /** All invalid fields, for `invalid_request`. */
  errors?: FieldError[];
  /** Seconds to wait before a retry; sent as `Retry-After`. */
  retryAfter?: number;
  /** Headers that the status requires, such as `Allow`. */
  headers?: Record<string, string>;
  /** Values of `Set-Cookie`. */
  cookies?: readonly string[];
  /** The underlying error; only logged. */
  cause?: unknown;
};

/** Codes that hide the specific reason from the client, so the log must have it. */
type MaskingCode =
  | 'unauthenticated'
  | 'token_expired'
  | 'invalid_client'
  | 'invalid_credentials'
  | 'invalid_grant'
  | 'identity_token_invalid'
  | 'mail_token_invalid'
  | 'passkey_invalid'
  | 'mfa_token_invalid'
  | 'captcha_invalid'
  | 'join_link_invalid'
  | 'forbidden'
  | 'not_found';

/** Further members of the problem document (RFC 9457 section 3.2): those of the code, and of no other. */
type MembersOf<C extends ErrorCode> = C extends keyof ProblemMembers
  ? Partial<ProblemMembers[C]> extends ProblemMembers[C]
    ? { members?: ProblemMembers[C] }
    : { members: ProblemMembers[C] }
  : { members?: never };

/**
 * Constructor arguments by code: a masking code requires a `reason`, or a `detail` that states it; a code with members
 * that clients rely on requires these.
 */
type DetailsOf<C extends ErrorCode> = C extends MaskingCode
  ? [details: ErrorDetails & MembersOf<C> & ({ reason: string } | { detail: string })]
  : Partial<MembersOf<C>> extends MembersOf<C>
    ? [details?: ErrorDetails & MembersOf<C>]
    : [details: ErrorDetails & MembersOf<C>];

/** An error of the API. Any other thrown value becomes a 500. */
export class ApiError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  /** The specific reason, for the log: a code may cover several reasons that a client must not distinguish. */
  readonly reason: string;
  readonly detail: string;
  readonly errors: FieldError[] | undefined;
  readonly retryAfter: number | undefined;
  readonly members: object | undefined;
  readonly headers: Record<string, string> | undefined;
  readonly cookies: readonly string[] | undefined;

  constructor(code: C, ...[details = {}]: DetailsOf<C>) {
    super(code, { cause: details.cause });
    this.name = 'ApiError';
    this.code = code;
    this.reason = details.reason ?? details.detail ?? code;
    this.detail = details.detail ?? errorCodes[code].title;
    this.errors = details.errors;
    this.retryAfter = details.retryAfter;
    this.members = details.members;
    this.headers = details.headers;
    this.cookies = details.cookies;
  }
}

/** The same response for a resource that is missing, deleted, of another project, or not visible to the caller. */
export function notFound(reason: string): ApiError {
  return new ApiError('not_found', { reason });
}

/** A bad request with one invalid field that only the handler could detect. */
export function invalidField(pointer: string, detail: string): ApiError {
  return new ApiError('invalid_request', { errors: [{ pointer, detail }] });
}
