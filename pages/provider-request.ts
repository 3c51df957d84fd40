/** A sign-in at an identity provider that this tab has begun. */
export type ProviderRequest = {
  provider: string;
  /** Ties the answer to this tab, and its token to this request (OpenID Connect Core 1.0, section 3.2.2). */
  state: string;
  nonce: string;
  /** The query of the sign-in page, which its redirect URI does not have, and the page to go to afterwards. */
  search: string;
  next: string;
};

const key = 'provider';

export const keepRequest = (request: ProviderRequest): void =>
  sessionStorage.setItem(key, JSON.stringify(request));

/**
 * Takes the request that an answer belongs to; each is answered once. Undefined for an answer that this tab has not
 * asked for, as in a link that would sign its reader in as somebody else.
 */
export function takeRequest(state: string | null): ProviderRequest | undefined {
  if (state === null) return undefined;
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<ProviderRequest>;
    sessionStorage.removeItem(key);
    return kept.state === state ? (kept as ProviderRequest) : undefined;
  } catch {
    return undefined;
  }
}
