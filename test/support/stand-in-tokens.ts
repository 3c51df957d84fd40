import { newSecret } from '#shared/model/ids.ts';
import type { PresetName } from '#shared/model/provider-presets.ts';

export type OtherTokens = {
  /** Of its access tokens: other seconds, or none. */
  expires_in?: number | undefined;
  /** A token of this many characters more. */
  longer?: number;
  /** The same of its refresh tokens. */
  longerRefresh?: number;
};

/** What a browser has asked for, with the person who has agreed, as JSON. */
type Asked = Record<string, string> & { person: string };

/** The access and refresh tokens of a stand-in, as the documentation of its provider has them. */
export function standInTokens(preset: PresetName) {
  const people = new Map<string, string>();
  /** Refresh tokens, with the sign-in of each; a used one stays where each refresh gives another. */
  const kept = new Map<string, { of: string; person: string; used: boolean }>();
  /** Who has agreed before, at Google. */
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
    kept.set(token, { of, person, used: false });
    return token;
  }

  /**
   * Google gives one to who has just agreed, offline; Microsoft and OpenID Connect for a scope; GitHub and Facebook
   * none.
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
    /** Every token that was made. */
    all,
    /** Whose an access token is. */
    personOf: (token: string): Record<string, unknown> | undefined => {
      const person = people.get(token);
      return person === undefined ? undefined : JSON.parse(person);
    },
    /** Those of a sign-in. */
    first: (asked: Asked, other: OtherTokens) => ({
      ...accessToken(asked.person, other),
      ...(givesRefreshToken(asked) && {
        refresh_token: refreshToken(newSecret(), asked.person, other),
      }),
    }),
    /**
     * Those of a refresh, or an error. Of an OpenID provider of one's own each refresh gives another refresh token, and
     * one that is used again ends all of its sign-in.
     */
    refresh(token: string, other: OtherTokens) {
      const found = kept.get(token);
      if (!found) return 'invalid_grant';
      if (found.used) {
        for (const [each, { of }] of kept) if (of === found.of) kept.delete(each);
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
