import type { ErrorCode } from '../model/error-codes.ts';
import { captchaExplanations } from './captcha-explanations.ts';
import { factorExplanations } from './factor-explanations.ts';
import { limitExplanations } from './limit-explanations.ts';
import { roleExplanations } from './role-explanations.ts';

/** Cause and remedy of every error, shown on the page of errors. */
export const explanations: Record<ErrorCode, { cause: string; remedy: string }> = {
  invalid_request: {
    cause:
      'A field, parameter or header is missing, unknown, or has a wrong type or value; or the body is not JSON.',
    remedy:
      'The member `errors` lists every invalid field by JSON Pointer (`/body/email`, `/query/limit`) and what it must be. Correct them and send the request again.',
  },
  join_link_invalid: {
    cause:
      'The join link was revoked, has expired, has no uses left, or is restricted to e-mail domains that the user is not in.',
    remedy: 'Ask an admin of the workspace for a new link or an invitation.',
  },
  mail_token_invalid: {
    cause:
      'The token from the e-mail link was used already, has expired, or a newer mail replaced it.',
    remedy: 'Request a new mail, and use the link in the newest one.',
  },
  invalid_grant: {
    cause:
      'The authorization code or refresh token was used already, has expired, belongs to another client, or does not match `redirect_uri` or `code_verifier`; or its session has ended.',
    remedy:
      'Start again at `GET /authorize`. A code is valid once and for a minute. Keep only the refresh token of the newest response.',
  },
  unsupported_grant_type: {
    cause: 'The `grant_type` is not supported.',
    remedy: 'Send `authorization_code` or `refresh_token`.',
  },
  invalid_scope: {
    cause: 'The `scope` is not a list of scopes, or has more scopes than were granted before.',
    remedy:
      'Separate scopes by one space: `openid email profile`. To get more, start again at `GET /authorize`.',
  },
  invalid_client: {
    cause:
      'The OAuth client does not exist, its secret is wrong or was revoked, it has a secret but did not send one, or it sent credentials in two ways.',
    remedy:
      'Check `client_id` and `client_secret` (`npm run project:list` lists the clients), and send both either with Basic or in the body.',
  },
  invalid_credentials: {
    cause:
      'The password or the code is wrong, or the account does not exist. The response is the same in every case, so that it reveals no account.',
    remedy: 'Let the user try again, request another code, or reset the password by e-mail.',
  },
  identity_token_invalid: {
    cause:
      "The ID token of the identity provider is not valid: its signature, issuer, audience, nonce or time does not match the project's settings, or the provider has not verified the e-mail.",
    remedy:
      'Get a fresh ID token from the provider, with the nonce that you send, and check that its client id is in the `client_ids` of the project.',
  },
  unauthenticated: {
    cause:
      'The Authorization header is missing, malformed, or uses a scheme that the endpoint does not accept; the secret or API key was revoked; or the session of the token has ended.',
    remedy:
      '`WWW-Authenticate` lists the accepted schemes. With Basic, check project id and secret; with Bearer, sign in again.',
  },
  token_expired: {
    cause:
      'The access token has expired; it is valid for ten minutes, or an hour where somebody acts as the user.',
    remedy:
      'Renew it with `POST /sessions/token/refresh` and send the request again. A session in which somebody acts as the user is not renewed.',
  },
  refresh_token_reused: {
    cause:
      'The refresh token was already used, more than a minute ago, or the one that replaced it was used too. Someone else may have a copy, so the session was ended.',
    remedy: 'Sign in again. In your client, keep only the refresh token of the newest response.',
  },
  forbidden: {
    cause:
      "The caller is authenticated, but the caller's role does not allow this. If the role lacks permissions, `missing` names them.",
    remedy:
      'Ask an admin or the owner of the workspace to do it, or send the request from your backend with the Basic credential.',
  },
  insufficient_scope: {
    cause: 'The project secret is limited to scopes, and does not have the scope of the operation.',
    remedy:
      '`WWW-Authenticate` names the scope. Use another secret, or let the operator add the scope with `npm run project:update-secret`; the change applies within a minute.',
  },
  membership_suspended: {
    cause: 'An admin has suspended the membership of this user in the workspace.',
    remedy: 'An admin resumes it with `PUT /workspaces/{workspace_id}/users/{user_id}/suspension`.',
  },
  approval_required: {
    cause: 'Users of this e-mail domain join the workspace only after approval.',
    remedy:
      'Create a request with `POST /workspaces/{workspace_id}/join_requests`; an admin approves it.',
  },
  user_disabled: {
    cause: "The project's backend has disabled the user.",
    remedy: 'The backend enables the user with `PUT /users/{uid}` and `{"disabled": false}`.',
  },
  sign_in_method_disabled: {
    cause: 'The project has not enabled this sign-in method.',
    remedy: 'Enable it with `npm run project:update`, or offer another method.',
  },
  password_locked: {
    cause:
      'A hundred wrong passwords in a row were entered for this e-mail, whether or not it has an account. If a user with a password has verified this e-mail, they were notified by mail.',
    remedy:
      'Reset the password by e-mail: `POST /passwords/forgotten`. Until then, the other sign-in methods still work.',
  },
  sign_up_disabled: {
    cause: 'The user does not exist, and the project does not allow sign-up.',
    remedy:
      'Create the user from the backend with `POST /users`, or enable sign-up with `npm run project:update`.',
  },
  not_found: {
    cause:
      'The resource was deleted, never existed, belongs to another project, or is not visible to the caller. The response is the same in every case.',
    remedy: 'Check the id, the path and the credential.',
  },
  method_not_allowed: {
    cause: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  already_member: {
    cause:
      'The user is already a member of the workspace; `member_id` is the id of the membership.',
    remedy:
      'No action is needed. To change the role: `PUT /workspaces/{workspace_id}/users/{user_id}/role`.',
  },
  invitation_exists: {
    cause:
      'The e-mail is already invited to the workspace; `member_id` is the id of the invitation, and `user_id` is the invited user.',
    remedy:
      'Send the invitation again with `POST /workspaces/{workspace_id}/invitations/{user_id}/resend`, or revoke it first.',
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
    cause: 'The new owner must be an accepted, active admin of the workspace.',
    remedy: 'Make them an admin of the workspace first.',
  },
  domain_not_proven: {
    cause: 'No name server returned the TXT record that verifies the domain.',
    remedy:
      'Publish the record that `record_name` and `record_value` show, wait until DNS serves it, and try again.',
  },
  identity_link_required: {
    cause:
      'A user of the project has the e-mail of this identity, but the identity is not linked to that user. It cannot be linked automatically, because the service has not verified the e-mail, or the provider is not authoritative for it.',
    remedy: 'Sign in with another method, then link the identity with `POST /users/me/identities`.',
  },
  identity_conflict: {
    cause:
      'The user has already linked another account of this provider, or this account is linked to another user.',
    remedy: 'Unlink the other account first.',
  },
  passkey_invalid: {
    cause:
      'The credential does not match the options: it has another origin or domain, the user was not verified, or the challenge was used, has expired or belongs to another session.',
    remedy:
      'Get new options with `POST /users/me/passkeys/options` and ask the browser again. Check `rp_id` and `origins` of the project.',
  },
  passkey_exists: {
    cause: 'A user of the project already has this passkey.',
    remedy: 'Sign in with this passkey, or create another one.',
  },
  ...captchaExplanations,
  ...factorExplanations,
  ...limitExplanations,
  ...roleExplanations,
  provider_sign_in_required: {
    cause:
      'The service has no token of the provider for the user, or the token has expired and cannot be refreshed: the provider has revoked it or gave no refresh token, or the project now has another client at the provider.',
    remedy:
      'Send the user to the provider again with `GET /oauth/{provider}/start?prompt=consent`, to sign in or to link.',
  },
  last_sign_in_method: {
    cause:
      'Without this method the user could no longer sign in with any method that the project has enabled. A passkey of a former `rp_id` and an account at a former issuer do not count.',
    remedy: 'Set up another method first, such as a password.',
  },
  email_missing: {
    cause: 'The user has no e-mail, so no mail can be sent.',
    remedy: 'Set an e-mail from the backend with `PUT /users/{uid}`.',
  },
  email_taken: {
    cause:
      'Another user of the project has this e-mail; upper and lower case are the same. An invitation to an e-mail without a user creates such a user.',
    remedy:
      'Choose another e-mail, or change or delete the other user. The person who has the mailbox can sign in as that user and delete the account.',
  },
  external_id_taken: {
    cause:
      'Another user has this `external_id`; or, if the request sets it for a workspace, another workspace has it. Upper and lower case differ.',
    remedy:
      'Find the other user or workspace with `GET /users?external_id=` or `GET /workspaces?external_id=`. Choose another id, or clear the id there with `"external_id": null`.',
  },
  webhook_disabled: {
    cause:
      'The webhook is disabled: by the backend, because it failed for days, or because it answered 410.',
    remedy:
      'Fix the receiver, enable the webhook with `PUT /webhooks/{webhook_id}`, then redeliver.',
  },
  redelivery_in_progress: {
    cause:
      'Another time range is being redelivered to this webhook; only one at a time is allowed.',
    remedy: 'Wait until that redelivery has finished, then try again.',
  },
  request_in_progress: {
    cause: 'The first request with this Idempotency-Key is still in progress.',
    remedy: 'Wait for the seconds in `Retry-After`, then send the same request again.',
  },
  precondition_failed: {
    cause: 'The resource has changed since you read it: its ETag differs from `If-Match`.',
    remedy: 'Read it again, apply your change to the new version, and send it with the new ETag.',
  },
  unsupported_media_type: {
    cause:
      'The body is not of the media type that the operation accepts (`application/json`, also `application/merge-patch+json` for `PATCH`, or `application/x-www-form-urlencoded` at the OAuth endpoints), its `Content-Type` has a parameter other than `charset=utf-8`, or it has a `Content-Encoding`. `detail` says which.',
    remedy:
      'Send `Content-Type: application/json` and uncompressed JSON without a `Content-Encoding`, or a form where the operation accepts one.',
  },
  idempotency_key_reused: {
    cause:
      'This Idempotency-Key was used with another method, path, query, body or `If-Match` within the last 24 hours.',
    remedy:
      'Use a new random key, such as a UUID, for each new request; reuse a key only to retry the same request.',
  },
  internal_error: {
    cause: 'The service has a defect.',
    remedy:
      'Report it with the `request_id`. The request may or may not have taken effect; with an Idempotency-Key it is safe to retry.',
  },
  temporarily_unavailable: {
    cause:
      'The database, or another service that this service needs, did not respond in time. The request may or may not have taken effect.',
    remedy:
      'Retry after the seconds in `Retry-After`; if the request changes something, with the same Idempotency-Key.',
  },
};
