import { decodeJwt } from 'jose';
import {
  authorizationCodeGrant,
  type Configuration,
  customFetch,
  fetchProtectedResource,
  fetchUserInfo,
} from 'openid-client';
import type { SignInProvider } from '../access/projects.ts';
import { type Claims, type Identity, toIdentity } from '../identity/identities/identity-claims.ts';
import { googleIssuers, verifyIdToken } from '../identity/identities/identity-token.ts';
import { ApiError } from '../model/errors.ts';
import { baseOf, presetOf } from '../model/provider-presets.ts';
import { safeFetch } from '../outbound/fetch.ts';
import { configurationOf } from './client-configuration.ts';
import { clientSecretOf } from './client-secret.ts';
import { sendsNonce, sendsPkce } from './configured.ts';
import { issuerOfToken, type ProviderMetadata } from './metadata.ts';
import { claimsFromApi } from './profiles.ts';
import { type ProviderTokens, tokensIn, withoutNulls } from './token-response.ts';
import { proofOf } from './trust.ts';

/** What a browser has brought back, and what it must fit. */
export type Exchange = {
  provider: SignInProvider;
  metadata: ProviderMetadata;
  /** What is stored in Secrets Manager. */
  secret: string;
  redirect_uri: string;
  /** The parameters of the answer: `code`, `state` and `iss`. */
  answer: Record<string, string | undefined>;
  state: string;
  nonce: string;
  code_verifier: string;
};

/** Somebody at a provider, and the tokens of the provider. */
export type Exchanged = {
  identity: Identity;
  tokens: ProviderTokens;
};

/**
 * Redeems the code of a provider, and reads who has signed in there. openid-client checks `state`, `iss` and the token
 * response; the ID token is verified as one that a client brings, with its signature. Rejects with whatever is wrong.
 */
export async function exchangeCode(exchange: Exchange): Promise<Exchanged> {
  const { provider, metadata, answer, redirect_uri, state } = exchange;
  const secret = await clientSecretOf(provider, exchange.secret);
  const config = configurationOf(provider, metadata, secret);
  // An issuer for each tenant is none that openid-client can compare.
  const isTemplate = metadata.issuer.includes('{tenantid}');
  let idToken: string | undefined;
  config[customFetch] = async (url, init) => {
    const response = await safeFetch(url, init);
    if (init.method !== 'POST' || response.status !== 200) return response;
    const body: unknown = JSON.parse(await response.text(), (name, value) =>
      isTemplate && name === 'id_token' ? void (idToken = value) : withoutNulls(name, value),
    );
    return new Response(JSON.stringify(body), response);
  };
  const { iss, ...others } = answer;
  const url = new URL(redirect_uri);
  for (const [name, value] of Object.entries(isTemplate ? others : answer))
    if (value !== undefined) url.searchParams.set(name, value);
  const { openid } = presetOf(provider.preset);
  const expectsIdToken = openid && !isTemplate;
  const tokens = await authorizationCodeGrant(config, url, {
    expectedState: state,
    ...(sendsPkce(provider) && { pkceCodeVerifier: exchange.code_verifier }),
    ...(expectsIdToken && sendsNonce(provider) && { expectedNonce: exchange.nonce }),
    idTokenExpected: expectsIdToken,
  });
  idToken ??= tokens.id_token;
  const { access_token } = tokens;
  const claims = openid
    ? await claimsOfIdToken(exchange, idToken ?? '', (sub) =>
        // Of the same subject, or it rejects (OpenID Connect Core 1.0, section 5.3.2).
        fetchUserInfo(config, access_token, sub),
      )
    : await claimsFromApi(provider, readerOf(config, access_token), { access_token, secret });
  const issuer = openid ? issuerOfToken(metadata, provider, claims ?? {}) : baseOf(provider);
  if (isTemplate && iss !== undefined && iss !== issuer)
    throw new Error('The answer is of another issuer than its ID token');
  return {
    identity: await toIdentity(claims ?? {}, issuer, proofOf(provider)),
    tokens: tokensIn(tokens),
  };
}

/**
 * The claims of a verified ID token. Any OpenID provider may tell the rest at its userinfo endpoint, as Okta tells
 * there alone whether the e-mail is verified: then the e-mail and what proves it both come from there.
 */
async function claimsOfIdToken(
  { provider, metadata, nonce }: Exchange,
  token: string,
  readUserInfo: (sub: string) => Promise<Claims>,
): Promise<Claims> {
  const issuer = issuerOfToken(metadata, provider, unverified(token));
  const payload = await verifyIdToken(
    token,
    {
      issuers: googleIssuers.includes(issuer) ? googleIssuers : [issuer],
      jwks_uri: metadata.jwks_uri ?? '',
      client_ids: [provider.client_id],
      lasting: true,
    },
    // The time now: what the provider took before it answered is no difference between clocks.
    { now: new Date(), nonce: sendsNonce(provider) ? nonce : undefined },
  );
  const isWhole = 'email' in payload && 'email_verified' in payload;
  if (provider.preset !== 'oidc' || isWhole || !metadata.userinfo_endpoint) return payload;
  const profile = await readUserInfo(payload.sub ?? '');
  const { email, email_verified } = 'email' in profile ? profile : payload;
  return { ...profile, ...payload, email, email_verified };
}

/** Only to know whose keys verify it. */
function unverified(token: string): Claims {
  try {
    return decodeJwt(token);
  } catch {
    throw new ApiError('identity_token_invalid', { reason: 'the provider gave no ID token' });
  }
}

const readerOf = (config: Configuration, access_token: string) => async (url: string) => {
  const headers = new Headers({ accept: 'application/json' });
  const response = await fetchProtectedResource(
    config,
    access_token,
    new URL(url),
    'GET',
    null,
    headers,
  );
  if (response.status !== 200) throw new Error(`The provider answered ${response.status}`);
  return response.json();
};
