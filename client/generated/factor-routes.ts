// Made of the contract by `npm run openapi`. Do not edit.

/** Method, path and query fields of each operation; then what it is: see `send`. */
export const factorRoutes = {
  sessions: {
    reauthenticate: 'POST /sessions/reauthenticate',
  },
  factors: {
    startTotp: 'POST /users/me/factors/totp',
    confirmTotp: 'POST /users/me/factors/totp/confirm',
    list: 'GET /users/me/factors',
    deleteTotp: 'DELETE /users/me/factors/totp body',
    renewRecoveryCodes: 'POST /users/me/factors/recovery_codes',
  },
} as const;
