/**
 * The closed table of every failure the service can name: code -> HTTP status and title.
 * A code is part of the interface: it is never reused for another meaning.
 */
export const errorCodes = {
  invalid_request: { status: 400, title: 'The request does not fit the schema' },
  join_link_invalid: {
    status: 400,
    title: 'The join link was revoked, has expired, is used up or is not for this user',
  },
  mail_token_invalid: {
    status: 400,
    title: 'The token from the mail was used, has expired or was replaced',
  },
  /** One answer for a wrong password or code, an unknown account and a method that the account does not have. */
  invalid_credentials: { status: 401, title: 'The credentials are not valid' },
  identity_token_invalid: { status: 401, title: "The identity provider's token is not valid" },
  unauthenticated: { status: 401, title: 'A valid credential is required' },
  token_expired: { status: 401, title: 'The token has expired' },
  refresh_token_reused: { status: 401, title: 'The refresh token was used before' },
  forbidden: { status: 403, title: 'The caller may not do this' },
  membership_suspended: { status: 403, title: 'The membership is suspended' },
  approval_required: {
    status: 403,
    title: 'Joining needs approval: ask with POST /workspaces/{workspace_id}/join_requests',
  },
  user_disabled: { status: 403, title: 'The user is disabled' },
  sign_in_method_disabled: {
    status: 403,
    title: 'The project does not offer this way to sign in',
  },
  password_locked: {
    status: 403,
    title: 'Too many wrong passwords in a row: set a new password by mail',
  },
  sign_up_disabled: { status: 403, title: 'People cannot make themselves a user of the project' },
  not_found: { status: 404, title: 'There is no such resource' },
  method_not_allowed: { status: 405, title: 'The resource does not support this method' },
  already_member: { status: 409, title: 'The user is a member already' },
  invitation_exists: { status: 409, title: 'The user is invited already' },
  owner_role_fixed: { status: 409, title: "The owner's role cannot change" },
  owner_must_stay: {
    status: 409,
    title: 'The owner cannot leave, be removed or be suspended; transfer the ownership first',
  },
  owns_workspaces: {
    status: 409,
    title: 'The user owns workspaces with other members; transfer or delete them first',
  },
  ownership_needs_admin: { status: 409, title: 'The ownership passes to an accepted admin only' },
  domain_not_proven: { status: 409, title: 'The DNS record that proves the domain is not there' },
  identity_link_required: {
    status: 409,
    title: 'A user has this e-mail: sign in by another way and link with POST /users/me/identities',
  },
  identity_conflict: {
    status: 409,
    title: "Another of the provider's accounts, or another user, is linked already",
  },
  last_sign_in_method: { status: 409, title: 'The user would have no way in any more' },
  email_missing: { status: 409, title: 'The user has no e-mail' },
  email_taken: { status: 409, title: 'Another user of the project has this e-mail' },
  member_limit_reached: { status: 409, title: 'The workspace has as many members as it may' },
  invitation_limit_reached: {
    status: 409,
    title: 'The workspace has as many invitations as it may',
  },
  workspace_limit_reached: {
    status: 409,
    title: 'The user is in as many workspaces as they may',
  },
  owned_workspace_limit_reached: {
    status: 409,
    title: 'The user owns as many workspaces as they may',
  },
  join_link_limit_reached: { status: 409, title: 'The workspace has as many join links as it may' },
  join_request_limit_reached: {
    status: 409,
    title: 'The workspace has as many open requests to join as it may',
  },
  webhook_limit_reached: { status: 409, title: 'The project has as many webhooks as it may' },
  webhook_disabled: { status: 409, title: 'The webhook is disabled; enable it first' },
  redelivery_in_progress: {
    status: 409,
    title: 'A time range is being sent to the webhook again already; wait until it has ended',
  },
  /** The request with this Idempotency-Key is still at work. */
  request_in_progress: {
    status: 409,
    title: 'A request with the same Idempotency-Key is under way',
  },
  precondition_failed: {
    status: 412,
    title: 'The resource has changed: it is no longer the one that If-Match names',
  },
  content_too_large: {
    status: 413,
    title: 'The body is too large, or the answer that the Idempotency-Key would keep',
  },
  unsupported_media_type: { status: 415, title: 'The body is not application/json' },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key came with another request before',
  },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'The service failed' },
  temporarily_unavailable: { status: 503, title: 'The service cannot answer right now' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** One wrong field. `pointer` is a JSON Pointer (RFC 6901) into `{path, query, body}` of the request. */
export type FieldError = { pointer: string; detail: string };

/** What a failure may carry to the wire beside its code. */
type ErrorDetails = {
  detail?: string;
  /** Why, in constant words without anything of a person: logged, never on the wire. */
  reason?: string;
  /** Wrong fields, all of them, for `invalid_request`. */
  errors?: FieldError[];
  /** Seconds until a repeat makes sense; becomes `Retry-After`. */
  retryAfter?: number;
  /** Further members of the problem document (RFC 9457 section 3.2). */
  members?: Record<string, string | string[]>;
  /** Headers that the status requires, such as `Allow`. */
  headers?: Record<string, string>;
  /** What went wrong underneath; for the log only. */
  cause?: unknown;
};

/** Codes that hide from the client which of several reasons there was: the log must say. */
type MaskingCode =
  | 'unauthenticated'
  | 'token_expired'
  | 'invalid_credentials'
  | 'identity_token_invalid'
  | 'mail_token_invalid'
  | 'join_link_invalid'
  | 'forbidden'
  | 'not_found';

/** What an error of a code is made of: one that masks its reason must come with a reason, or a detail that says it. */
type DetailsOf<C extends ErrorCode> = C extends MaskingCode
  ? [details: ErrorDetails & ({ reason: string } | { detail: string })]
  : [details?: ErrorDetails];

/** A failure that the interface names. Everything else that is thrown is a 500. */
export class ApiError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  /** Why, for the log: the same code may stand for several reasons that a client must not tell apart. */
  readonly reason: string;
  readonly detail: string;
  readonly errors: FieldError[] | undefined;
  readonly retryAfter: number | undefined;
  readonly members: Record<string, string | string[]> | undefined;
  readonly headers: Record<string, string> | undefined;

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
  }
}

/**
 * One answer for a thing that is missing, deleted, of another project, or not the caller's to know of.
 *
 * @param reason which of them, for the log alone
 */
export function notFound(reason: string): ApiError {
  return new ApiError('not_found', { reason });
}

/** A bad request whose one wrong field only the handler could see. */
export function invalidField(pointer: string, detail: string): ApiError {
  return new ApiError('invalid_request', { errors: [{ pointer, detail }] });
}
