/** Cause and remedy of the errors of second factors. */
export const factorExplanations = {
  mfa_token_invalid: {
    cause:
      'The `mfa_token` was used, is older than ten minutes or of another project; or the e-mail, a password, the profile or a factor of the user has changed since, or all sessions were ended.',
    remedy: 'Sign in again from the first step.',
  },
  reauthentication_required: {
    cause:
      'The person of the session has signed in more than ten minutes ago. Somebody who has stolen one must not be able to add a way to sign in that lasts: an authenticator app or a passkey to a user without a password, a passkey to one who is asked for a second factor; whatever takes the `current_password` otherwise, of who has one where nobody signs in by password any more; and where the project says so (`recent_sign_in`) whatever changes a way to sign in or cannot be undone.',
    remedy:
      'Ask the person who they are, call `POST /sessions/reauthenticate` with the password, a code, a recovery code or a passkey, and send the request again. Who has none of these signs in again. `WWW-Authenticate` has `insufficient_user_authentication` and `max_age` (RFC 9470).',
  },
  mfa_required: {
    cause:
      'The workspace has `require_mfa`, and the caller has signed in with one factor alone; or their API key was made in such a session.',
    remedy:
      'Let the user show it with `POST /sessions/reauthenticate`, or sign in with a second factor or a passkey. Users without one add it in their account first. A program needs a key that is made or rotated in such a session.',
  },
  factor_locked: {
    cause:
      'A hundred wrong codes of the authenticator app were tried in a row, perhaps by somebody who knows the password.',
    remedy:
      'Use a recovery code, which ends the lock. Without one, the backend removes the factor with `DELETE /users/{uid}/factors`.',
  },
  factor_required: {
    cause: 'The project requires a second factor of all users, so nobody removes their own.',
    remedy:
      'For another phone, let your backend remove the factor with `DELETE /users/{uid}/factors`; the next sign-in adds a new one.',
  },
  factor_exists: {
    cause: 'A user has at most one authenticator app.',
    remedy: 'Remove it first, with a code of it or a recovery code.',
  },
};
