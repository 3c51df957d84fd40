// Made of the contract by `npm run openapi`. Do not edit.

/** Method, path and query fields of each operation; then what it is: see `send`. */
export const cookieRoutes = {
  sessions: {
    endAll: 'DELETE /sessions?user_id',
    signOut: 'DELETE /sessions/current',
    refresh: 'POST /sessions/token/refresh',
  },
  passwords: {
    signUp: 'POST /sign-up public',
    signIn: 'POST /sessions/password public',
    forgot: 'POST /passwords/forgotten public',
    set: 'POST /passwords public',
  },
  codes: {
    start: 'POST /codes public',
    verify: 'POST /sessions/code public',
  },
  links: {
    start: 'POST /links public',
    showCode: 'POST /links/code public',
    signIn: 'POST /sessions/link public',
  },
  passkeys: {
    startSignIn: 'POST /sessions/passkey/options public',
    signIn: 'POST /sessions/passkey public',
  },
  factors: {
    signIn: 'POST /sessions/mfa public',
    startEnrolment: 'POST /sessions/mfa/totp public',
    confirmEnrolment: 'POST /sessions/mfa/totp/confirm public',
  },
  identities: {
    signIn: 'POST /sessions/identity public',
  },
  providers: {
    signIn: 'POST /sessions/oauth public',
  },
  users: {
    getMe: 'GET /users/me',
  },
} as const;
