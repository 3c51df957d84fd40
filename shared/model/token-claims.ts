/** The settings by which a project puts values of its own into access tokens. */

/** A path: the external id of the user, or a field of `app_metadata`. The last name is that of the claim. */
export const tokenClaimPath = /^(?:external_id|app_metadata(?:\.[A-Za-z0-9_-]{1,64}){1,7})$/;

/** Claims that only the service sets, and those that have a registered meaning for who verifies a token. */
const reserved: ReadonlySet<string> = new Set([
  // RFC 7519, RFC 7800 and RFC 8693
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'cnf', 'act', 'may_act'],
  // RFC 9068 and OpenID Connect Core
  ...['client_id', 'scope', 'auth_time', 'acr', 'amr', 'azp', 'nonce', 'sid', 'at_hash', 'c_hash'],
  ...['roles', 'groups', 'entitlements', 'email', 'email_verified', 'events', 'typ', 'token_use'],
  // The service's own
  ...[
    'workspace_id',
    'workspace_role',
    'permissions',
    'permissions_truncated',
    'project_id',
    'uid',
  ],
]);

/** The claim that a path becomes. */
export const claimOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

export const isReservedClaim = (name: string): boolean => reserved.has(name);
