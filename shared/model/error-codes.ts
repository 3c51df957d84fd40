/**
 * Every error of the API: HTTP status -> code -> title. A code is part of the API: it is never reused for another
 * meaning.
 */
const titles = {
  400: {
    invalid_request: 'The request does not match the schema',
    join_link_invalid: 'The join link is revoked, expired, used up or not valid for this user',
    mail_token_invalid: 'The e-mail token was used, has expired or was replaced',
    passkey_invalid: 'The passkey could not be verified, or its challenge has expired or was used',
    mfa_token_invalid: 'The sign-in was finished or has expired, or the account has changed since',
    captcha_invalid: 'The captcha was not solved, was used, has expired or is of another page',
    /** Errors of an OAuth endpoint (RFC 6749 section 5.2). */
    invalid_grant: 'The authorization code or refresh token is not valid for this client',
    unsupported_grant_type: 'The grant type is not supported',
    invalid_scope: 'The scope is not valid',
  },
  401: {
    invalid_client: 'The client could not be authenticated',
    /**
     * The same response for a wrong password or code, an unknown account and a sign-in method that the account does not
     * have.
     */
    invalid_credentials: 'The credentials are not valid',
    identity_token_invalid: "The identity provider's token is not valid",
    unauthenticated: 'A valid credential is required',
    token_expired: 'The token has expired',
    refresh_token_reused: 'The refresh token was already used',
    /** RFC 9470. */
    reauthentication_required: 'A sign-in of the last ten minutes is required',
  },
  403: {
    forbidden: 'The caller is not allowed to do this',
    insufficient_scope: 'The project secret does not have the scope',
    mfa_required: 'The workspace asks its members to sign in with a second factor or a passkey',
    membership_suspended: 'The membership is suspended',
    approval_required:
      'Joining requires approval: request it with POST /workspaces/{workspace_id}/join_requests',
    user_disabled: 'The user is disabled',
    sign_in_method_disabled: 'The project has not enabled this sign-in method',
    password_locked: 'Too many wrong passwords in a row: reset the password by e-mail',
    factor_locked: 'Too many wrong codes in a row: use a recovery code',
    captcha_required: 'A captcha must be solved: its token is missing',
    sign_up_disabled: 'The project does not allow sign-up',
  },
  404: { not_found: 'Resource not found' },
  405: { method_not_allowed: 'The resource does not support this method' },
  409: {
    already_member: 'The user is already a member',
    invitation_exists: 'The user is already invited',
    owner_role_fixed: "The owner's role cannot be changed",
    owner_must_stay:
      'The owner cannot leave, be removed or be suspended; transfer the ownership first',
    owns_workspaces: 'The user owns workspaces with other members; transfer or delete them first',
    ownership_needs_admin: 'Ownership can be transferred only to an accepted admin',
    domain_not_proven: 'The DNS record that verifies the domain was not found',
    identity_link_required:
      'A user with this e-mail exists: sign in with another method and link with POST /users/me/identities',
    identity_conflict:
      'The user has another account of this provider, or the account is linked to another user',
    provider_sign_in_required: 'The user must sign in at the provider again',
    last_sign_in_method: 'The user would have no sign-in method left',
    passkey_exists: 'The passkey belongs to a user already',
    passkey_limit_reached: 'The user has reached the limit of passkeys',
    factor_exists: 'The user has a second factor already',
    factor_required: 'The project requires a second factor',
    email_missing: 'The user has no e-mail',
    email_taken: 'Another user of the project has this e-mail',
    external_id_taken: 'Another user, or another workspace, of the project has this external id',
    member_limit_reached: 'The workspace has reached its member limit',
    invitation_limit_reached: 'The workspace has reached its invitation limit',
    workspace_limit_reached: 'The user has reached the limit of workspaces',
    owned_workspace_limit_reached: 'The user has reached the limit of owned workspaces',
    join_link_limit_reached: 'The workspace has reached its join link limit',
    join_request_limit_reached: 'The workspace has reached its limit of open join requests',
    api_key_limit_reached: 'The user or workspace has reached its limit of API keys',
    role_in_use: 'The role is in use',
    permission_in_use: 'A role has the permission',
    role_limit_reached: 'There are too many roles',
    permission_limit_reached: 'The project has too many permissions',
    webhook_limit_reached: 'The project has reached its webhook limit',
    webhook_disabled: 'The webhook is disabled; enable it first',
    redelivery_in_progress:
      'Another time range is already being redelivered to this webhook; wait until it has finished',
    /** The first request with this Idempotency-Key is still running. */
    request_in_progress: 'A request with the same Idempotency-Key is in progress',
  },
  412: { precondition_failed: 'The resource has changed: its version is not the one in If-Match' },
  413: {
    content_too_large:
      'The body is too large, or the response is too large to store for the Idempotency-Key',
  },
  415: { unsupported_media_type: 'The body is not of the media type that the operation accepts' },
  422: { idempotency_key_reused: 'The Idempotency-Key was already used with a different request' },
  429: { too_many_requests: 'Too many requests' },
  500: { internal_error: 'Internal error' },
  503: { temporarily_unavailable: 'The service is temporarily unavailable' },
} as const satisfies Record<number, Record<string, string>>;

type Titles = typeof titles;
export type ErrorCode = { [S in keyof Titles]: keyof Titles[S] }[keyof Titles];

/** The status and title of each code. */
export const errorCodes = Object.fromEntries(
  Object.entries(titles).flatMap(([status, codes]) =>
    Object.entries(codes).map(([code, title]) => [code, { status: Number(status), title }]),
  ),
) as Record<ErrorCode, { status: number; title: string }>;
