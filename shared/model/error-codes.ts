/**
 * Every error of the API: code -> HTTP status and title. A code is part of the API: it is never reused for another
 * meaning.
 */
export const errorCodes = {
  invalid_request: { status: 400, title: 'The request does not match the schema' },
  join_link_invalid: {
    status: 400,
    title: 'The join link is revoked, expired, used up or not valid for this user',
  },
  mail_token_invalid: {
    status: 400,
    title: 'The e-mail token was used, has expired or was replaced',
  },
  passkey_invalid: {
    status: 400,
    title: 'The passkey could not be verified, or its challenge has expired or was used',
  },
  mfa_token_invalid: {
    status: 400,
    title: 'The sign-in was finished or has expired, or the account has changed since',
  },
  captcha_invalid: {
    status: 400,
    title: 'The captcha was not solved, was used, has expired or is of another page',
  },
  /** Errors of an OAuth endpoint (RFC 6749 section 5.2). */
  invalid_grant: {
    status: 400,
    title: 'The authorization code or refresh token is not valid for this client',
  },
  unsupported_grant_type: { status: 400, title: 'The grant type is not supported' },
  invalid_scope: { status: 400, title: 'The scope is not valid' },
  invalid_client: { status: 401, title: 'The client could not be authenticated' },
  /**
   * The same response for a wrong password or code, an unknown account and a sign-in method that the account does not
   * have.
   */
  invalid_credentials: { status: 401, title: 'The credentials are not valid' },
  identity_token_invalid: { status: 401, title: "The identity provider's token is not valid" },
  unauthenticated: { status: 401, title: 'A valid credential is required' },
  token_expired: { status: 401, title: 'The token has expired' },
  refresh_token_reused: { status: 401, title: 'The refresh token was already used' },
  /** RFC 9470. */
  reauthentication_required: {
    status: 401,
    title: 'A sign-in of the last ten minutes is required',
  },
  forbidden: { status: 403, title: 'The caller is not allowed to do this' },
  insufficient_scope: { status: 403, title: 'The project secret does not have the scope' },
  mfa_required: {
    status: 403,
    title: 'The workspace asks its members to sign in with a second factor or a passkey',
  },
  membership_suspended: { status: 403, title: 'The membership is suspended' },
  approval_required: {
    status: 403,
    title:
      'Joining requires approval: request it with POST /workspaces/{workspace_id}/join_requests',
  },
  user_disabled: { status: 403, title: 'The user is disabled' },
  sign_in_method_disabled: {
    status: 403,
    title: 'The project has not enabled this sign-in method',
  },
  password_locked: {
    status: 403,
    title: 'Too many wrong passwords in a row: reset the password by e-mail',
  },
  factor_locked: {
    status: 403,
    title: 'Too many wrong codes in a row: use a recovery code',
  },
  captcha_required: {
    status: 403,
    title: 'A captcha must be solved: its token is missing',
  },
  sign_up_disabled: { status: 403, title: 'The project does not allow sign-up' },
  not_found: { status: 404, title: 'Resource not found' },
  method_not_allowed: { status: 405, title: 'The resource does not support this method' },
  already_member: { status: 409, title: 'The user is already a member' },
  invitation_exists: { status: 409, title: 'The user is already invited' },
  owner_role_fixed: { status: 409, title: "The owner's role cannot be changed" },
  owner_must_stay: {
    status: 409,
    title: 'The owner cannot leave, be removed or be suspended; transfer the ownership first',
  },
  owns_workspaces: {
    status: 409,
    title: 'The user owns workspaces with other members; transfer or delete them first',
  },
  ownership_needs_admin: {
    status: 409,
    title: 'Ownership can be transferred only to an accepted admin',
  },
  domain_not_proven: {
    status: 409,
    title: 'The DNS record that verifies the domain was not found',
  },
  identity_link_required: {
    status: 409,
    title:
      'A user with this e-mail exists: sign in with another method and link with POST /users/me/identities',
  },
  identity_conflict: {
    status: 409,
    title:
      'The user has another account of this provider, or the account is linked to another user',
  },
  provider_sign_in_required: {
    status: 409,
    title: 'The user must sign in at the provider again',
  },
  last_sign_in_method: { status: 409, title: 'The user would have no sign-in method left' },
  passkey_exists: { status: 409, title: 'The passkey belongs to a user already' },
  passkey_limit_reached: { status: 409, title: 'The user has reached the limit of passkeys' },
  factor_exists: { status: 409, title: 'The user has a second factor already' },
  factor_required: { status: 409, title: 'The project requires a second factor' },
  email_missing: { status: 409, title: 'The user has no e-mail' },
  email_taken: { status: 409, title: 'Another user of the project has this e-mail' },
  external_id_taken: {
    status: 409,
    title: 'Another user, or another workspace, of the project has this external id',
  },
  member_limit_reached: { status: 409, title: 'The workspace has reached its member limit' },
  invitation_limit_reached: {
    status: 409,
    title: 'The workspace has reached its invitation limit',
  },
  workspace_limit_reached: {
    status: 409,
    title: 'The user has reached the limit of workspaces',
  },
  owned_workspace_limit_reached: {
    status: 409,
    title: 'The user has reached the limit of owned workspaces',
  },
  join_link_limit_reached: { status: 409, title: 'The workspace has reached its join link limit' },
  join_request_limit_reached: {
    status: 409,
    title: 'The workspace has reached its limit of open join requests',
  },
  api_key_limit_reached: {
    status: 409,
    title: 'The user or workspace has reached its limit of API keys',
  },
  role_in_use: { status: 409, title: 'The role is in use' },
  permission_in_use: { status: 409, title: 'A role has the permission' },
  role_limit_reached: { status: 409, title: 'There are too many roles' },
  permission_limit_reached: { status: 409, title: 'The project has too many permissions' },
  webhook_limit_reached: { status: 409, title: 'The project has reached its webhook limit' },
  webhook_disabled: { status: 409, title: 'The webhook is disabled; enable it first' },
  redelivery_in_progress: {
    status: 409,
    title:
      'Another time range is already being redelivered to this webhook; wait until it has finished',
  },
  /** The first request with this Idempotency-Key is still running. */
  request_in_progress: {
    status: 409,
    title: 'A request with the same Idempotency-Key is in progress',
  },
  precondition_failed: {
    status: 412,
    title: 'The resource has changed: its version is not the one in If-Match',
  },
  content_too_large: {
    status: 413,
    title: 'The body is too large, or the response is too large to store for the Idempotency-Key',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is not of the media type that the operation accepts',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was already used with a different request',
  },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Internal error' },
  temporarily_unavailable: { status: 503, title: 'The service is temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorCodes;
