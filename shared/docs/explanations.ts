import type { ErrorCode } from '../model/errors.ts';

/** Why a request failed, and what the client or its operator does about it. The page of errors shows both. */
export const explanations: Record<ErrorCode, { cause: string; remedy: string }> = {
  invalid_request: {
    cause:
      'A field, parameter or header is missing, unknown, or has a wrong type or value; or the body is not JSON.',
    remedy:
      'The member `errors` names every wrong place by a JSON Pointer (`/body/email`, `/query/limit`) and says what it must be. Correct these and send the request again.',
  },
  join_link_invalid: {
    cause:
      'The join link was revoked, has expired, has no uses left, or is restricted to e-mail domains that the user is not in.',
    remedy: 'Ask an admin of the workspace for another link or for an invitation.',
  },
  mail_token_invalid: {
    cause:
      'The token from the link of a mail was used already, has expired, or a newer mail replaced it.',
    remedy: 'Ask for another mail, and use the link of the newest one.',
  },
  invalid_credentials: {
    cause:
      'The password or the code is wrong, or there is no such account. The answer is the same in every case, so that nobody learns who has an account.',
    remedy: 'Let the person try again, ask for another code, or reset the password by mail.',
  },
  identity_token_invalid: {
    cause:
      "The ID token of the identity provider is not valid: its signature, issuer, audience, nonce or time does not fit the project's settings, or the provider has not verified the e-mail.",
    remedy:
      'Get a fresh ID token from the provider, with the nonce that you send, and check that its client id is among `client_ids` of the project.',
  },
  unauthenticated: {
    cause:
      'The Authorization header is missing, malformed, or of another scheme than the endpoint takes; the secret was revoked; or the session of the token has ended.',
    remedy:
      '`WWW-Authenticate` names the schemes that the endpoint takes. With Basic check project id and secret; with Bearer sign in again.',
  },
  token_expired: {
    cause: 'The access token has expired; it lives for ten minutes.',
    remedy: 'Renew it with `POST /sessions/token/refresh` and send the request again.',
  },
  refresh_token_reused: {
    cause:
      'The refresh token was used before, more than a minute ago. Someone else may have a copy, so the session was ended.',
    remedy: 'Sign in again. In your client, keep the refresh token of the newest answer only.',
  },
  forbidden: {
    cause: 'The caller is known, but their role does not allow this.',
    remedy:
      'Let an admin or the owner of the workspace do it, or your back end with the Basic credential.',
  },
  membership_suspended: {
    cause: 'An admin has suspended the membership of this user in the workspace.',
    remedy: 'An admin resumes it with `PUT /workspaces/{workspace_id}/users/{user_id}/suspension`.',
  },
  approval_required: {
    cause: 'The workspace lets people of this e-mail domain in by approval only.',
    remedy: 'Ask with `POST /workspaces/{workspace_id}/join_requests`; an admin approves it.',
  },
  user_disabled: {
    cause: "The project's back end has disabled the user.",
    remedy: 'The back end enables them with `PUT /users/{uid}` and `{"disabled": false}`.',
  },
  sign_in_method_disabled: {
    cause: 'The project has not enabled this way to sign in.',
    remedy: 'Enable it with `npm run project:update`, or offer another way.',
  },
  password_locked: {
    cause:
      'A hundred wrong passwords in a row were given for this e-mail, whether or not anyone has it. The user was told by mail.',
    remedy:
      'Set a new password by mail: `POST /passwords/forgotten`. Until then codes and identity providers still sign in.',
  },
  sign_up_disabled: {
    cause: 'There is no such user, and the project does not let people create their own account.',
    remedy:
      'Create the user from the back end with `POST /users`, or enable sign-up with `npm run project:update`.',
  },
  not_found: {
    cause:
      'There is no such thing: it was deleted, never existed, belongs to another project, or the caller may not know of it. The answer is the same in every case.',
    remedy: 'Check the id, the path and whose credential was sent.',
  },
  method_not_allowed: {
    cause: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods that the `Allow` header names.',
  },
  already_member: {
    cause: 'The user is a member of the workspace already, as `member_id` says.',
    remedy:
      'Nothing is to be done, unless the role is to change: `PUT /workspaces/{workspace_id}/users/{user_id}/role`.',
  },
  invitation_exists: {
    cause: 'The e-mail is invited to the workspace already.',
    remedy:
      'Send it again with `POST /workspaces/{workspace_id}/invitations/{user_id}/resend`, or revoke it first.',
  },
  owner_role_fixed: {
    cause: 'The owner of a workspace is always an admin.',
    remedy: 'Transfer the ownership first; then the role can change.',
  },
  owner_must_stay: {
    cause:
      'A workspace always has an owner, so its owner cannot leave, be removed or be suspended.',
    remedy:
      'Transfer the ownership with `POST /workspaces/{workspace_id}/ownership`, or delete the workspace.',
  },
  owns_workspaces: {
    cause: 'The user owns workspaces that have other members; `workspace_ids` names them.',
    remedy: 'Transfer or delete these workspaces, then delete the user.',
  },
  ownership_needs_admin: {
    cause:
      'The user to whom the ownership would pass is no accepted, active admin of the workspace.',
    remedy: 'Make them an admin of the workspace first.',
  },
  domain_not_proven: {
    cause: 'No name server answered with the TXT record that proves the domain.',
    remedy:
      'Publish the record that `record_name` and `record_value` show, wait until DNS has it, and ask again.',
  },
  identity_link_required: {
    cause:
      'A user of the project has the e-mail of this identity, and the identity is not linked to them.',
    remedy: 'Sign in by another way, then link the identity with `POST /users/me/identities`.',
  },
  identity_conflict: {
    cause: 'The user has another account of this provider, or this account signs in another user.',
    remedy: 'Unlink the other one first.',
  },
  last_sign_in_method: {
    cause: 'Without this way the user could not sign in any more.',
    remedy: 'Set up another way first, such as a password.',
  },
  email_missing: {
    cause: 'The user has no e-mail, so nothing can be mailed to them.',
    remedy: 'Set one from the back end with `PUT /users/{uid}`.',
  },
  email_taken: {
    cause: 'Another user of the project has this e-mail; upper and lower case are the same.',
    remedy: 'Choose another e-mail, or change or delete the other user.',
  },
  member_limit_reached: {
    cause: 'The workspace has as many members as a workspace may have.',
    remedy: 'Remove members, or use another workspace.',
  },
  invitation_limit_reached: {
    cause: 'The workspace has as many open invitations as it may have.',
    remedy: 'Revoke invitations, or wait until some are accepted or have expired.',
  },
  workspace_limit_reached: {
    cause: 'The user is a member of as many workspaces as a person may be.',
    remedy: 'Leave a workspace first.',
  },
  owned_workspace_limit_reached: {
    cause: 'The user owns as many workspaces as a person may own.',
    remedy: 'Transfer or delete one first.',
  },
  join_link_limit_reached: {
    cause: 'The workspace has as many live join links as it may have.',
    remedy: 'Revoke one first.',
  },
  join_request_limit_reached: {
    cause: 'The workspace has as many open requests to join as it may have.',
    remedy: 'Its admins approve or refuse some first.',
  },
  webhook_limit_reached: {
    cause: 'The project has as many webhooks as it may have.',
    remedy: 'Delete one first.',
  },
  webhook_disabled: {
    cause:
      'The webhook is disabled: by you, because it failed for days, or because it answered 410.',
    remedy:
      'Repair the receiver, enable the webhook with `PUT /webhooks/{webhook_id}`, then redeliver.',
  },
  redelivery_in_progress: {
    cause: 'A time range is being sent to this webhook again already; one at a time is.',
    remedy: 'Wait until it has ended, then ask again.',
  },
  request_in_progress: {
    cause: 'The first request with this Idempotency-Key has not been answered yet.',
    remedy: 'Wait for as many seconds as `Retry-After` says, then send the same request again.',
  },
  precondition_failed: {
    cause: 'The resource has changed since it was read: its ETag is not the one in `If-Match`.',
    remedy: 'Read it again, apply your change to what it is now, and send that with the new ETag.',
  },
  content_too_large: {
    cause:
      'The body has more bytes than the endpoint takes, or the answer is too large to be kept for the Idempotency-Key.',
    remedy: 'Send less at once, in several requests.',
  },
  unsupported_media_type: {
    cause: 'The body is not sent as `application/json` in UTF-8, or is compressed.',
    remedy: 'Send `Content-Type: application/json` and plain JSON.',
  },
  idempotency_key_reused: {
    cause: 'This Idempotency-Key came with another path or body within the last 24 hours.',
    remedy:
      'Use a new random key, such as a UUID, for each new request; the same key only to repeat the very same one.',
  },
  too_many_requests: {
    cause:
      'More was asked for than may be in this time: by this caller, for this account, or from this network. `detail` says which.',
    remedy: 'Wait for as many seconds as `Retry-After` says.',
  },
  internal_error: {
    cause: 'The service failed: that is a defect of the service.',
    remedy:
      'Report it with the `request_id`. Whether something was done is not known; with an Idempotency-Key it is safe to send it again.',
  },
  temporarily_unavailable: {
    cause:
      'The database, or another service that this one needs, did not answer in time. Whether something was done is not known.',
    remedy:
      'Send the request again after `Retry-After`, with the same Idempotency-Key where it changes something.',
  },
};
