import { timingSafeEqual } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { IdentityProvider } from '../access/projects.ts';
import { domainOf, email } from '../model/email.ts';
import { ApiError } from '../model/errors.ts';
import { httpsUrl } from '../model/fields.ts';
import { sha256 } from '../model/ids.ts';
import { lifetimes, limits } from '../model/limits.ts';
import { providerKeys } from './provider-keys.ts';

/** A person according to an identity provider. All values are valid in a profile. */
export type Identity = {
  issuer: string;
  /** With `issuer`, the permanent id of the account. An e-mail may be reassigned to another person. */
  subject: string;
  /**
   * Empty if the token has no e-mail that a user can have. A linked account needs none, because it is known by its
   * subject.
   */
  email: string;
  email_verified: boolean;
  /** True if the e-mail is verified today, not only when the provider checked it. */
  email_current: boolean;
  name?: { given_name?: string; family_name?: string; formatted?: string };
  picture?: string;
};

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
const google = ['https://accounts.google.com', 'accounts.google.com'];

/**
 * Verifies an OpenID Connect ID token by the provider's published keys (OpenID Connect Core 3.1.3.7, RFC 8725). Keys in
 * or referenced by the header (`jwk`, `jku`, `x5c`, `x5u`) are ignored. Throws `identity_token_invalid` with the
 * reason, or `temporarily_unavailable` if the keys cannot be fetched.
 *
 * @param nonce that the client sent with its authentication request, if any
 */
export async function verifyIdentityToken(
  token: string,
  provider: IdentityProvider,
  { nonce, now }: { nonce?: string | undefined; now: Date },
): Promise<Identity> {
  if (token.length > limits.identityToken) throw refused('The token is too long');
  if (!token.split('.').every(isCanonical)) throw refused('The token is not a signed JWT');
  const issuers = google.includes(provider.issuer) ? google : [provider.issuer];
  const { protectedHeader, payload } = await jwtVerify(token, providerKeys(provider.jwks_uri), {
    algorithms,
    issuer: issuers,
    audience: provider.client_ids,
    requiredClaims: ['exp'],
    maxTokenAge: maxAge,
    clockTolerance: lifetimes.clockTolerance,
    currentDate: now,
  }).catch((error: unknown) => {
    throw error instanceof ApiError ? error : refused(reasonOf(error));
  });
  checkType(protectedHeader.typ);
  checkAudiences(payload, provider.client_ids);
  checkNonce(payload['nonce'], nonce);
  return toIdentity(payload, issuers[0] ?? provider.issuer);
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
  const equal =
    typeof claim === 'string' &&
    timingSafeEqual(Buffer.from(sha256(claim)), Buffer.from(sha256(sent)));
  if (!equal) throw refused('The nonce in the token differs from the one in the request');
}

async function toIdentity(payload: JWTPayload, issuer: string): Promise<Identity> {
  // OpenID Connect Core 2: at most 255 ASCII characters.
  if (typeof payload.sub !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(payload.sub))
    throw refused('The token has no subject, or one that is not 1 to 255 ASCII characters');
  const address = await email.safeParseAsync(payload['email']);
  const verified = payload['email_verified'];
  const name = {
    ...named('given_name', payload['given_name']),
    ...named('family_name', payload['family_name']),
    ...named('formatted', payload['name']),
  };
  // Apple and others send a string. In a signed token it can only mean the same. All other values are false.
  const email_verified = address.success && (verified === true || verified === 'true');
  const picture = httpsUrl.safeParse(payload['picture']);
  return {
    issuer,
    subject: payload.sub,
    email: address.data ?? '',
    email_verified,
    email_current: email_verified && isAuthoritativeFor(issuer, address.data, payload['hd']),
    ...(Object.keys(name).length > 0 && { name }),
    ...(picture.success && { picture: picture.data }),
  };
}

/**
 * True if the provider's verification of the e-mail is current. Google operates the mailboxes of gmail.com and of its
 * Workspace customers (`hd`). Any other address it verified once, and that address may have been reassigned since.
 * Other providers are trusted, because the operator configures them.
 */
function isAuthoritativeFor(issuer: string, address: string | undefined, hd: unknown): boolean {
  if (issuer !== google[0] || address === undefined) return true;
  const domain = domainOf(address);
  return domain === 'gmail.com' || domain === 'googlemail.com' || domain === hd;
}

/** A name as one line, cut to the limit of the profile. Empty if nothing is left. */
function named<K extends string>(key: K, value: unknown): { [N in K]?: string } {
  if (typeof value !== 'string') return {};
  const line = value
    .replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
    .slice(0, limits.name)
    // Half of a surrogate pair that was cut.
    .replace(/\p{Cs}$/u, '');
  return (line === '' ? {} : { [key]: line }) as { [N in K]?: string };
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
