import { ApiError } from './api-error.ts';
import type { Fetch } from './call.ts';
import { claimsIn } from './claims.ts';
import { challengeOf } from './pkce.ts';

/** A public client of a project, and where its answers go. */
export type AuthorizationClient = {
  /** The base URL of the service, without a slash at its end. */
  issuer: string;
  clientId: string;
  redirectUri: string;
};

/** What binds an answer to its request. Only who has made the request knows the verifier. */
export type Binding = { state: string; verifier: string; nonce: string };

export type AuthorizationOptions = {
  /** `login`: ask for the password again. `create`: begin with the sign-up. `none`: show no page, or fail. */
  prompt?: 'login' | 'create' | 'none' | undefined;
  /** The e-mail that the page suggests. */
  loginHint?: string | undefined;
  /** The languages of the page, the preferred one first: `de en`. */
  uiLocales?: string | undefined;
};

export type OAuthTokens = { access_token: string; refresh_token: string; id_token: string };

/** Why nobody has signed in: an error code of the service, such as `login_required`, or of `signIn` and `finish`. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError';
  readonly code: string;

  constructor(code: string, description?: string | null) {
    super(description ? `${code}: ${description}` : code);
    this.code = code;
  }
}

/** The address of a request for a code with PKCE (RFC 6749 section 4.1.1, RFC 7636). */
export async function authorizationUrl(
  { issuer, clientId, redirectUri }: AuthorizationClient,
  { state, verifier, nonce }: Binding,
  { prompt, loginHint, uiLocales }: AuthorizationOptions,
): Promise<string> {
  return withQuery(`${issuer}/authorize`, {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    prompt,
    login_hint: loginHint,
    ui_locales: uiLocales,
  });
}

/** The address of a sign-out at the service (OpenID Connect RP-Initiated Logout 1.0). Without a hint it asks first. */
export const logoutUrl = (
  { issuer, clientId }: Omit<AuthorizationClient, 'redirectUri'>,
  idTokenHint: string | undefined,
  returnTo: string | undefined,
): string =>
  withQuery(`${issuer}/logout`, {
    client_id: clientId,
    id_token_hint: idTokenHint,
    post_logout_redirect_uri: returnTo,
  });

function withQuery(address: string, parameters: Record<string, string | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, value);
  return `${address}?${query}`;
}

/**
 * Redeems the code of an answer. The caller has found the request by the answer's `state`: somebody else's answer would
 * sign in as somebody else (CSRF).
 * @throws RedirectError if the service says why not, or the answer is not to the request
 * @throws ApiError for a code that is no longer valid
 */
export async function redeemAnswer(
  { issuer, clientId, redirectUri }: AuthorizationClient,
  { verifier, nonce }: Binding,
  answer: URLSearchParams,
  send: Fetch,
): Promise<OAuthTokens> {
  // Another server's answer would get our code (RFC 9207).
  if (answer.get('iss') !== issuer) throw new RedirectError('issuer_mismatch');
  const error = answer.get('error');
  if (error !== null) throw new RedirectError(error, answer.get('error_description'));
  const response = await send(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      client_id: clientId,
    }),
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new ApiError(response.status, response.headers, body);
  const tokens = body as OAuthTokens;
  // The ID token came straight from the service over TLS, which stands for its signature (OpenID Connect Core 1.0,
  // section 3.1.3.7).
  const claims = claimsOf(tokens);
  if (claims['iss'] !== issuer || claims['aud'] !== clientId || claims['nonce'] !== nonce)
    throw new RedirectError('id_token_mismatch');
  return tokens;
}

function claimsOf({ id_token }: OAuthTokens): Record<string, unknown> {
  try {
    return claimsIn(id_token);
  } catch {
    return {};
  }
}
