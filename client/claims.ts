/** Those that the client reads. All of them are ASCII. */
type Claims = {
  iss: string;
  aud: string;
  sub: string;
  iat: number;
  exp: number;
  /** Of an ID token alone. */
  nonce?: string;
  workspace_id?: string;
  workspace_role?: string;
  /** Absent where a token has no room for them. */
  permissions?: string[];
};

/**
 * The claims in a token of the service (RFC 7519 section 3). The signature is not verified.
 * @throws Error if there are none
 */
export function claimsIn(token: string): Claims {
  const [, payload = ''] = token.split('.');
  return JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/'))) as Claims;
}

/** Whether a token names this workspace, or none with null. */
export const names = (token: string, workspace_id: string | null): boolean =>
  (claimsIn(token).workspace_id ?? null) === workspace_id;
