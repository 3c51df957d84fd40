import type { OpenidUser, startOpenidProvider } from './openid-provider.ts';
import type { SignIn, Started } from './sign-in.ts';

/** The settings by which a project trusts a provider. */
export const settingsOf = (provider: Awaited<ReturnType<typeof startOpenidProvider>>) => {
  const { issuer, jwks_uri, client_id } = provider;
  return { issuer, jwks_uri, client_ids: [client_id] };
};

let people = 0;
/** A new person at a provider, unknown to the service. */
export function newPerson(given: Partial<OpenidUser> = {}): OpenidUser & { email: string } {
  people += 1;
  const email = `someone${people}@gmail.com`;
  return { sub: `sub-${people}`, email, email_verified: true, ...given };
}

/** Signs in with an ID token, by default one of the provider `google`. */
export const signInByIdentity = ({ post }: SignIn, id_token: string, more: object = {}) =>
  post<Started & { code: string; detail: string }>('/sessions/identity', {
    provider: 'google',
    id_token,
    ...more,
  });
