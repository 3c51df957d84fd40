import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { IdentityProvider } from '../../access/projects.ts';
import { ApiError } from '../../model/errors.ts';
import { equalInConstantTime, sha256 } from '../../model/ids.ts';
import { lifetimes, limits } from '../../model/limits.ts';
import {
  type Claims,
  type Identity,
  isMailboxOfApple,
  isMailboxOfGoogle,
  saysVerified,
  toIdentity,
} from './identity-claims.ts';
import { providerKeys } from './provider-keys.ts';

/**
 * Asymmetric signatures only: `none` needs no key, and an HMAC could be computed with the public key. The provider
 * chooses among them: OpenID Connect requires RS256 of all providers, and a key fits only one family.
 */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** Maximum age in seconds. A token is meant for an immediate sign-in, not for storage. */
const maxAge = 86_400;
/** Google's two spellings of its issuer. Google's documentation says to accept both. */
export const googleIssuers = ['https://accounts.google.com', 'accounts.google.com'];

/**
 * The person of an ID token from a client of the project. Throws the errors of `verifyIdToken`.
 *
 * @param nonce that the client sent with its authentication request, if any
 */
export async function verifyIdentityToken(
  token: string,
  { issuer, jwks_uri, client_ids }: IdentityProvider,
  options: { nonce?: string | undefined; now: Date },
): Promise<Identity> {
  const issuers = googleIssuers.includes(issuer) ? googleIssuers : [issuer];
  const payload = await verifyIdToken(token, { issuers, jwks_uri, client_ids }, options);
  const [canonical = issuer] = issuers;
  return toIdentity(payload, canonical, (claims, address) => ({
    email_verified: saysVerified(claims),
    email_current: runsMailbox(canonical, claims, address),
  }));
}

/**
 * Whether an issuer knows that an e-mail is the person's today: as `providers/trust.ts` has it for those whom people are
 * redirected to. Issuers that are not known here are trusted, because the operator configures them.
 */
function runsMailbox(issuer: string, claims: Claims, address: string): boolean {
  const { hostname } = new URL(issuer);
  if (hostname === 'accounts.google.com') return isMailboxOfGoogle(claims, address);
  if (/^(?:appleid|account)\.apple\.com$/.test(hostname)) return isMailboxOfApple(address);
  return !/(?:^|\.)(?:gitlab|linkedin|slack|discord)\.com$/.test(hostname);
}

/**
 * Verifies an OpenID Connect ID token by the provider's published keys (OpenID Connect Core 3.1.3.7, RFC 8725). Keys in
 * or referenced by the header (`jwk`, `jku`, `x5c`, `x5u`) are ignored. Throws `identity_token_invalid` with the
 * reason, or `temporarily_unavailable` if the keys cannot be fetched.
 */
export async function verifyIdToken(
  token: string,
  provider: { issuers: string[]; jwks_uri: string; client_ids: string[]; lasting?: true },
  { nonce, now }: { nonce?: string | undefined; now: Date },
): Promise<JWTPayload> {
  if (token.length > limits.identityToken) throw refused('The token is too long');
  if (!token.split('.').every(isCanonical)) throw refused('The token is not a signed JWT');
  const { protectedHeader, payload } = await jwtVerify(
    token,
    providerKeys(provider.jwks_uri, provider),
    {
      algorithms,
      issuer: provider.issuers,
      audience: provider.client_ids,
      requiredClaims: ['exp'],
      maxTokenAge: maxAge,
      clockTolerance: lifetimes.clockTolerance,
      currentDate: now,
    },
  ).catch((error: unknown) => {
    throw error instanceof ApiError ? error : refused(reasonOf(error));
  });
  checkType(protectedHeader.typ);
  checkAudiences(payload, provider.client_ids);
  checkNonce(payload['nonce'], nonce);
  return payload;
}

/**
 * Requires base64url without padding, whitespace or unused bits (RFC 7515, section 2). jose accepts them in the
 * signature.
 */
function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part;
}

/**
 * Rejects other token types: the provider may issue them for the same client, and they are not ID tokens (RFC 8725,
 * section 3.11).
 */
function checkType(typ: string | undefined): void {
  if (typ !== undefined && !/^(?:application\/)?jwt$/i.test(typ))
    throw refused('The token is not an ID token');
}

/**
 * Requires all audiences to be clients of the project, because each of them holds the token and could sign in here with
 * it.
 */
function checkAudiences({ aud, azp }: JWTPayload, clientIds: readonly string[]): void {
  if (!Array.isArray(aud) || aud.length < 2) return;
  if (![...aud, azp].every((client) => clientIds.some((id) => id === client)))
    throw refused('Not every audience of the token, and its `azp`, is a client id of the project');
}

/**
 * Checks the nonce, which ties a token to one authentication request of the client. If a token has one, the client MUST
 * verify it (OpenID Connect Core 2 and 3.1.3.7, no. 11). A token with a nonce and a request without one is rejected:
 * otherwise an attacker could plant a token on the client and skip the check by leaving the nonce out.
 */
function checkNonce(claim: unknown, sent: string | undefined): void {
  if (claim === undefined && sent === undefined) return;
  if (claim === undefined) throw refused('The token has no nonce and the request has');
  if (sent === undefined) throw refused('The token has a nonce: send it with the request');
  const equal = typeof claim === 'string' && equalInConstantTime(sha256(claim), sha256(sent));
  if (!equal) throw refused('The nonce in the token differs from the one in the request');
}

/** Why jose rejected the token, for the developer. Contains no part of the token. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired)
    return error.claim === 'iat'
      ? 'The token was issued more than a day ago'
      : 'The token has expired';
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.reason === 'missing'
      ? `The token has no claim \`${error.claim}\``
      : (reasons[error.claim] ?? `The claim \`${error.claim}\` of the token is not valid`);
  if (error instanceof errors.JOSEAlgNotAllowed)
    return `The algorithm of the token is not one of ${algorithms.join(', ')}`;
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return "The signature of the token does not fit the provider's key";
  if (error instanceof errors.JOSENotSupported)
    return 'The header of the token has a critical parameter that is not supported';
  if (error instanceof errors.JOSEError) return 'The token is not a signed JWT';
  // For example an RSA key with less than 2048 bits.
  return "The provider's key cannot verify a token";
}

const reasons: Record<string, string> = {
  iss: 'The token is of another issuer than that of the project',
  aud: 'The audience of the token is no client id of the project',
  iat: 'The token is issued in the future, or `iat` is not a number',
  nbf: 'The token is not valid yet',
};

function refused(detail: string): ApiError {
  return new ApiError('identity_token_invalid', { detail });
}
