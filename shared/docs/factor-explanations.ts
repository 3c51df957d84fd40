/** Cause and remedy of the errors of second factors. */
export const factorExplanations = {
  mfa_token_invalid: {
    cause:
      'The `mfa_token` was used, is older than ten minutes or belongs to another project; or, since it was issued, the e-mail, a password, the profile or a factor of the user has changed, or all sessions of the user were ended.',
    remedy: 'Sign in again from the first step.',
  },
  reauthentication_required: {
    cause:
      'The last sign-in of the session is more than ten minutes ago, and the request needs a recent one. So a thief of a session cannot add a lasting sign-in method. A recent sign-in is needed to add an authenticator app or a passkey to a user without a password; to add a passkey to a user whose sign-ins require a second factor; for every request that otherwise takes `current_password`, if the user has a password but the project no longer allows sign-in by password; and, if the project has set `recent_sign_in`, for every request that changes a sign-in method or cannot be undone.',
    remedy:
      'Ask the user for the password, a code, a recovery code or a passkey, send it to `POST /sessions/reauthenticate`, and send the request again. A user who has none of these signs in again. `WWW-Authenticate` has `insufficient_user_authentication` and `max_age` (RFC 9470).',
  },
  mfa_required: {
    cause:
      'The workspace has `require_mfa`, and the caller has signed in with only one factor, or uses an API key that was created in such a session.',
    remedy:
      'Let the user prove their second factor with `POST /sessions/reauthenticate`, or sign in again with a second factor or a passkey. Users without a second factor or a passkey must add one to their account first. A program needs an API key that was created or rotated in a session with a second factor or a passkey.',
  },
  factor_locked: {
    cause:
      'A hundred wrong codes of the authenticator app were entered in a row, perhaps by an attacker who knows the password.',
    remedy:
      'Use a recovery code, which ends the lock. Without one, the backend removes the factor with `DELETE /users/{uid}/factors`.',
  },
  factor_required: {
    cause: 'The project requires a second factor of all users, so users cannot remove their own.',
    remedy:
      'For another phone, let your backend remove the factor with `DELETE /users/{uid}/factors`; the next sign-in adds a new one.',
  },
  factor_exists: {
    cause: 'A user has at most one authenticator app.',
    remedy: 'Remove the current app first, with one of its codes or a recovery code.',
  },
};
