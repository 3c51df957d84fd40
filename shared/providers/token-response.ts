import type { TokenEndpointResponse } from 'openid-client';

/** What the service keeps of a token response (RFC 6749, section 5.1). */
export type ProviderTokens = {
  access_token: string;
  refresh_token?: string;
  /** Seconds from now. */
  expires_in?: number;
  scope?: string;
};

export const tokensIn = ({
  access_token,
  refresh_token,
  expires_in,
  scope,
}: TokenEndpointResponse): ProviderTokens => ({
  access_token,
  ...(refresh_token !== undefined && { refresh_token }),
  ...(expires_in !== undefined && { expires_in }),
  ...(scope !== undefined && { scope }),
});

/** For `JSON.parse`: what a provider gives as null, it does not give. */
export const withoutNulls = (_name: string, value: unknown): unknown => value ?? undefined;

/** An error code for the log: a provider, or who has called in its name, may have written anything into it. */
export const nameIn = (error: string): string =>
  /^[a-z_]{1,40}$/.test(error) ? error : 'another error';
