import type { PublicProject } from '../client/generated/api.ts';

type Methods = PublicProject['methods'];
/** One of two kinds: the service asks the second itself. */
export type Provider = Methods['identity_providers'][number] | Methods['sign_in_providers'][number];

/** A sign-in at an identity provider that this tab has begun. */
export type ProviderRequest = {
  provider: string;
  /** Ties the answer to this tab as `state`, and its token as `nonce` (OpenID Connect Core 1.0, section 3.2.2). */
  state: string;
  /** Without it, nobody can use the code that comes back. Only for providers that the service asks itself. */
  verifier?: string | undefined;
  /** The query of the sign-in page, which its redirect URI does not have, and the page to go to afterwards. */
  search: string;
  next: string;
  /** The user who links an account at the provider; else somebody signs in. */
  linkTo?: string | undefined;
};

const key = 'provider';

export const keepRequest = (request: ProviderRequest): void =>
  sessionStorage.setItem(key, JSON.stringify(request));

/**
 * Takes the request that an answer belongs to; each is answered once. Undefined for an answer that this tab has not
 * asked for, as in a link that would sign its reader in as somebody else.
 */
export function takeRequest(state: string | null): ProviderRequest | undefined {
  // A page without an answer must not lose what another page of this tab has asked for.
  if (!state) return undefined;
  const request = JSON.parse(sessionStorage.getItem(key) ?? '{}') as ProviderRequest;
  sessionStorage.removeItem(key);
  return request.state === state ? request : undefined;
}
