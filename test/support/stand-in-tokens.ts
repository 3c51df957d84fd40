import { newSecret } from '#shared/model/ids.ts';
import type { PresetName } from '#shared/model/provider-presets.ts';

export type OtherTokens = {
  /** Lifetime of access tokens in seconds; undefined to omit it. */
  expires_in?: number | undefined;
  /** Additional characters of an access token. */
  longer?: number;
  /** Additional characters of a refresh token. */
  longerRefresh?: number;
};

/** The authorization request, with the consenting user as JSON. */
type Asked = Record<string, string> & { person: string };

/** Issues the access and refresh tokens of a stand-in, as the provider's documentation describes. */
export function standInTokens(preset: PresetName) {
  const people = new Map<string, string>();
  /** Refresh tokens and their sign-in. Used ones stay if the provider rotates them. */
  const refreshTokens = new Map<string, { of: string; person: string; used: boolean }>();
  /** Users who have consented before, for Google. */
  const agreed = new Set<string>();
  const all: string[] = [];

  function make(kind: string): string {
    const token = `${kind}-${newSecret()}`;
    all.push(token);
    return token;
  }

  function accessToken(person: string, { longer = 0, ...other }: OtherTokens) {
    const access_token = make(`token-of-${preset}-${'x'.repeat(longer)}`.replace(/-$/, ''));
    people.set(access_token, person);
    const usual = preset === 'github' ? undefined : 3_600;
    const expires_in = 'expires_in' in other ? other.expires_in : usual;
    return { access_token, token_type: preset === 'github' ? 'bearer' : 'Bearer', expires_in };
  }

  function refreshToken(of: string, person: string, { longerRefresh = 0 }: OtherTokens): string {
    const token = make(`refresh${'x'.repeat(longerRefresh)}`);
    refreshTokens.set(token, { of, person, used: false });
    return token;
  }

  /**
   * Google issues one on consent to offline access; Microsoft and OpenID Connect for a scope; GitHub and Facebook
   * never.
   */
  function givesRefreshToken({ scope = '', access_type, prompt = '', person }: Asked): boolean {
    if (preset === 'google') {
      const before = agreed.has(person);
      agreed.add(person);
      return access_type === 'offline' && (!before || prompt.split(' ').includes('consent'));
    }
    const offline = scope.split(' ').includes('offline_access');
    if (preset === 'oidc') return offline && prompt === 'consent';
    return preset === 'microsoft' ? offline : preset !== 'github' && preset !== 'facebook';
  }

  return {
    /** Every token issued. */
    all,
    /** The user of an access token. */
    personOf: (token: string): Record<string, unknown> | undefined => {
      const person = people.get(token);
      return person === undefined ? undefined : JSON.parse(person);
    },
    /** The tokens of a sign-in. */
    first: (asked: Asked, other: OtherTokens) => ({
      ...accessToken(asked.person, other),
      ...(givesRefreshToken(asked) && {
        refresh_token: refreshToken(newSecret(), asked.person, other),
      }),
    }),
    /**
     * The tokens of a refresh, or an error. A generic OpenID provider rotates refresh tokens, and reuse revokes all
     * tokens of the sign-in.
     */
    refresh(token: string, other: OtherTokens) {
      const found = refreshTokens.get(token);
      if (!found) return 'invalid_grant';
      if (found.used) {
        for (const [each, { of }] of refreshTokens) if (of === found.of) refreshTokens.delete(each);
        return 'invalid_grant';
      }
      const rotates = preset === 'oidc';
      if (rotates) found.used = true;
      return {
        person: found.person,
        ...accessToken(found.person, other),
        ...(rotates && { refresh_token: refreshToken(found.of, found.person, other) }),
      };
    },
  };
}
