import type { UserData } from '../identity/users/users.ts';

/** The supported scopes (OpenID Connect Core 1.0, section 5.4). */
export const supportedScopes = ['openid', 'email', 'profile'] as const;
type Scope = (typeof supportedScopes)[number];

/** RFC 6749, appendix A.4. */
const scopeForm = /^[\x21\x23-\x5b\x5d-\x7e]+(?: +[\x21\x23-\x5b\x5d-\x7e]+)*$/;

/**
 * The scopes granted for a `scope`: the supported ones, in a fixed order. Unknown ones are ignored (Core, section
 * 3.1.2.1). Without `openid` the request is one of plain OAuth 2.0, and gets no ID token. Undefined if it is not a list
 * of scopes.
 */
export function scopesOf(requested: string): string | undefined {
  if (requested !== '' && !scopeForm.test(requested)) return undefined;
  const names = requested.split(' ');
  return supportedScopes.filter((scope) => names.includes(scope)).join(' ');
}

/**
 * Whether a `scope` asks for no more than was granted (RFC 6749, section 6). Unknown scopes are ignored here too, because
 * libraries renew with the whole list that they were configured with.
 */
export function isNarrower(requested: string, granted: string): boolean {
  const asked = scopesOf(requested.trim());
  return (
    asked !== undefined &&
    supportedScopes.every((scope) => !has(asked, scope) || has(granted, scope))
  );
}

/** Whether a scope is among those that were granted. */
export const has = (granted: string, scope: Scope): boolean => granted.split(' ').includes(scope);

/** The claims about a user that ID tokens and `/userinfo` have, all in {@link userClaims}. */
export const claimNames = [
  ...['name', 'given_name', 'family_name', 'preferred_username', 'picture', 'profile'],
  ...['email', 'email_verified'],
];

/** The claims about a user that the granted scopes allow (Core, section 5.4). Empty values are left out. */
export function userClaims(
  user: Pick<UserData, 'email' | 'verified' | 'display_name' | 'name'> &
    Pick<UserData, 'preferred_username' | 'thumbnail_url' | 'profile_url'>,
  granted: string,
): Record<string, string | boolean> {
  const { email, verified, display_name, name } = user;
  const profile = {
    name: display_name || name?.formatted,
    given_name: name?.given_name,
    family_name: name?.family_name,
    preferred_username: user.preferred_username,
    picture: user.thumbnail_url,
    profile: user.profile_url,
  };
  const claims = {
    ...(has(granted, 'profile') && profile),
    ...(has(granted, 'email') && email !== '' && { email, email_verified: verified.email }),
  };
  return Object.fromEntries(
    Object.entries(claims).flatMap(([claim, value]) =>
      value === undefined || value === '' ? [] : [[claim, value]],
    ),
  );
}
