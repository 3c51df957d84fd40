// Made of the contract by `npm run openapi`. Do not edit.

/** Method, path and query fields of each operation; then what it is: see `send`. */
export const linkRoutes = {
  links: {
    start: 'POST /links public',
    showCode: 'POST /links/code public',
    signIn: 'POST /sessions/link public',
  },
} as const;
