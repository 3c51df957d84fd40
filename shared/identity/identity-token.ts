import { timingSafeEqual } from 'node:crypto';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import type { IdentityProvider } from '../access/projects.ts';
import { currentRequest } from '../db/request-context.ts';
import { domainOf, email } from '../model/email.ts';
import { ApiError } from '../model/errors.ts';
import { httpsUrl } from '../model/fields.ts';
import { sha256 } from '../model/ids.ts';
import { lifetimes, limits } from '../model/limits.ts';

/** A person as an identity provider vouches for them; everything fits the rules of the profile. */
export type Identity = {
  issuer: string;
  /** Who it is, for ever, together with `issuer`; an e-mail may pass to somebody else. */
  subject: string;
  /** Empty where the provider tells none that a user can have: who is known by the subject needs none. */
  email: string;
  email_verified: boolean;
  /** Whether that holds today, not only when the provider looked. */
  email_current: boolean;
  name?: { given_name?: string; family_name?: string; formatted?: string };
  picture?: string;
};

/**
 * Signatures with a key pair only: `none` needs no key, and an HMAC could be made with the public key. Which of these
 * it is, is the provider's choice: OpenID Connect requires RS256 of everybody, and a key fits one kind of them alone.
 */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** Seconds since a token was issued: it is there to sign in with at once, not to be kept. */
const maxAge = 86_400;
/** Milliseconds to fetch a provider's keys: what is left of a request is for the table. */
const fetchTime = 1_500;
/** Bytes of a provider's keys; the largest known are about 20 KB. */
const maxKeySetBytes = 256 * 1024;
/** How many providers an instance keeps the keys of. */
const cacheSize = 100;
/** Google writes its issuer in two ways, and says to accept either. */
const google = ['https://accounts.google.com', 'accounts.google.com'];

const keySets = new Map<string, JWTVerifyGetKey>();

/**
 * Verifies an OpenID Connect ID token by the provider's published keys, as OpenID Connect Core 3.1.3.7 and RFC 8725
 * say. `nonce` is what the client sent with its authentication request, where it sent one. A key that the header
 * brings or points at (`jwk`, `jku`, `x5c`, `x5u`) is never looked at.
 * Throws `identity_token_invalid` with the reason, or `temporarily_unavailable` where the keys cannot be had.
 */
export async function verifyIdentityToken(
  token: string,
  provider: IdentityProvider,
  { nonce, now }: { nonce?: string | undefined; now: Date },
): Promise<Identity> {
  if (token.length > limits.identityToken) throw refused('The token is too long');
  if (!token.split('.').every(isCanonical)) throw refused('The token is not a signed JWT');
  const issuers = google.includes(provider.issuer) ? google : [provider.issuer];
  const { protectedHeader, payload } = await jwtVerify(token, keyOf(provider.jwks_uri), {
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

/** RFC 7515 section 2: base64url without padding, blanks or other spare bits. In the signature the library forgives them. */
function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part;
}

/** Finds the key of a token in the provider's set, which is fetched when it is old or does not have the key. */
function keyOf(uri: string): JWTVerifyGetKey {
  const keySet = keySets.get(uri) ?? remoteKeys(uri);
  keySets.delete(uri);
  keySets.set(uri, keySet);
  const oldest = keySets.keys().next().value;
  if (keySets.size > cacheSize && oldest !== undefined) keySets.delete(oldest);
  return async (header, token) => {
    try {
      return await keySet(header, token);
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey)
        throw refused('The provider has no key by the id and algorithm in the header of the token');
      if (cause instanceof errors.JWKSMultipleMatchingKeys)
        throw refused("The token does not say which of the provider's keys signed it");
      throw new ApiError('temporarily_unavailable', {
        detail: "The identity provider's keys cannot be read right now",
        retryAfter: 1,
        cause,
      });
    }
  };
}

function remoteKeys(uri: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(uri), {
    timeoutDuration: fetchTime,
    cacheMaxAge: lifetimes.publicKeyCache * 1_000,
    // Invented key ids must not become requests to the provider.
    cooldownDuration: lifetimes.publicKeyReread * 1_000,
    // A kept connection is dead when a frozen instance wakes up.
    headers: { connection: 'close' },
    [customFetch]: fetchKeys,
  });
}

/** Fetches within the time of the request, reads no more than is reasonable, and follows no redirect. */
const fetchKeys: FetchImplementation = async (url, init) => {
  const signal = AbortSignal.any([init.signal, currentRequest().signal]);
  const { body, status } = await fetch(url, { ...init, signal });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxKeySetBytes) throw new Error('The set of keys is too large');
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), { status });
};

/** RFC 8725 section 3.11: another kind of token by the same provider for the same client is not an ID token. */
function checkType(typ: string | undefined): void {
  if (typ !== undefined && !/^(?:application\/)?jwt$/i.test(typ))
    throw refused('The token is of another type than an ID token');
}

/** Whoever else a token is for could sign in here with it: all of them must be clients of the project. */
function checkAudiences({ aud, azp }: JWTPayload, clientIds: readonly string[]): void {
  if (!Array.isArray(aud) || aud.length < 2) return;
  if (![...aud, azp].every((client) => clientIds.some((id) => id === client)))
    throw refused('Not every audience of the token, and its `azp`, is a client id of the project');
}

/**
 * A nonce ties the token to the one authentication request that the client made. Where a token has one, the client
 * MUST verify it (OpenID Connect Core 2 and 3.1.3.7, no. 11); without knowing it that is impossible, and leaving it
 * out would be the way round the check for a token that was planted on the client.
 */
function checkNonce(claim: unknown, sent: string | undefined): void {
  if (claim === undefined && sent === undefined) return;
  if (claim === undefined) throw refused('The token has no nonce and the request has');
  if (sent === undefined) throw refused('The token has a nonce: send it with the request');
  const equal =
    typeof claim === 'string' &&
    timingSafeEqual(Buffer.from(sha256(claim)), Buffer.from(sha256(sent)));
  if (!equal) throw refused('The nonce of the token is another than that of the request');
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
  // Apple and others send the string; signed, it can mean nothing else. Anything but these two is no.
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
 * Whether the provider's word on an e-mail is about today. Google runs the mailboxes of gmail.com and of its Workspace
 * customers (`hd`); of any other it knows that it was proven once, and it may have passed to somebody else. Of other
 * providers the operator decides, who configures them.
 */
function isAuthoritativeFor(issuer: string, address: string | undefined, hd: unknown): boolean {
  if (issuer !== google[0] || address === undefined) return true;
  const domain = domainOf(address);
  return domain === 'gmail.com' || domain === 'googlemail.com' || domain === hd;
}

/** The part of a name as one line of text, cut to what the profile takes; nothing where nothing is left. */
function named<K extends string>(key: K, value: unknown): { [N in K]?: string } {
  if (typeof value !== 'string') return {};
  const line = value
    .replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
    .slice(0, limits.name)
    // Half of a character that was cut in two.
    .replace(/\p{Cs}$/u, '');
  return (line === '' ? {} : { [key]: line }) as { [N in K]?: string };
}

/** Why jose refused the token: for the developer, and nothing of the token in it. */
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
  // An RSA key of less than 2048 bits, for example.
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
