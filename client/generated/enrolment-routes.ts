// Made of the contract by `npm run openapi`. Do not edit.

/** Method, path and query fields of each operation; then what it is: see `send`. */
export const enrolmentRoutes = {
  factors: {
    startEnrolment: 'POST /sessions/mfa/totp public',
    confirmEnrolment: 'POST /sessions/mfa/totp/confirm public',
  },
} as const;
