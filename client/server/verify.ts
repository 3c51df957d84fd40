import { decodeBase64url } from '../base64.ts';
import type { VerificationKey } from './key-set.ts';

/** What an access token says about the user and their session (RFC 9068). */
export type Claims = {
  /** The service's base URL. */
  iss: string;
  /** The project's id. */
  aud: string;
  /** The OAuth client that the session was started for, else the project's id. Absent in tokens before 0.21.0. */
  client_id?: string;
  /** The user's `uid`: it never changes and is never used again, so use it as the key in your data. */
  sub: string;
  /** The session's id. */
  sid: string;
  /** Time of issue and expiry, in epoch seconds. */
  iat: number;
  exp: number;
  jti: string;
  /** The e-mail when the token was issued. No key: it can change. */
  email: string;
  email_verified: boolean;
  /** The active workspace of the session, and what the user was there when the token was issued. No right by itself. */
  workspace_id?: string;
  workspace_role?: string;
  /** What the user was allowed there, sorted; `permissions_truncated` instead where it is too much for a token. */
  permissions?: string[];
  permissions_truncated?: boolean;
  /** When the person signed in, in epoch seconds: refreshes leave it. Absent where somebody acts as them. */
  auth_time?: number;
  /** What they showed (RFC 8176): `pwd`, `otp`, `pop`, `user`, and `mfa` with two factors. */
  amr?: string[];
  /** `aal2` where two factors were shown, else `aal1`; absent where your backend vouched, or somebody acts as them. */
  acr?: string;
  /** Who acts as the user (RFC 8693), such as your support: refuse it what only the user may do. */
  act?: { sub: string };
  /** What the project puts into tokens (`token_claims`), as it was when the token was issued. */
  [claim: string]: unknown;
};

/**
 * An access token that is not valid, or no longer. Answer 401. The message is for your log: of the token it repeats the
 * issuer and the project alone, quoted, where they are others than yours.
 */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  /** `token_expired`: an otherwise valid token, which the app renews with its refresh token. */
  readonly code: 'invalid_token' | 'token_expired';

  constructor(code: TokenError['code'], why?: string) {
    super(why ?? `The access token ${code === 'token_expired' ? 'expired' : 'is not valid'}`);
    this.code = code;
  }
}

/** Tolerance in seconds for clocks that differ. */
const tolerance = 5;

/** Maximum length of a token in characters; longer ones are rejected unread. */
const maxLength = 4_096;

/**
 * Makes the offline verification of one project's access tokens (RFC 9068, RFC 8725): RS256 and ES256 alone, each with
 * a key published for it, and that from the service's own set alone. What the header brings along or points at (`jwk`,
 * `jku`, `x5u`) is never looked at; critical extensions are refused.
 *
 * The function returned throws `TokenError`, or what `findKey` throws if it cannot tell.
 */
export function createVerifier(
  issuer: string,
  audience: string,
  findKey: (kid: string) => Promise<VerificationKey | undefined>,
) {
  return async (token: string): Promise<Claims> => {
    const { header, claims, signature, data } = parse(token);
    // Before the key is looked for: tokens of other projects cause no request for keys.
    if (claims.iss !== issuer || claims.aud !== audience)
      throw new TokenError(
        'invalid_token',
        // Anybody can write what is found: it stays short and on its line, and gives no command to a terminal.
        `The access token is of ${JSON.stringify([claims.iss, claims.aud])
          .replace(/[^ -~]/g, '?')
          .slice(0, 300)}, not ${issuer}, ${audience}`,
      );
    const key = await findKey(header.kid);
    if (key?.alg !== header.alg || !(await key.verify(signature, data)))
      throw new TokenError('invalid_token');
    const now = Date.now() / 1_000;
    if (Math.max(claims.iat, claims.nbf ?? claims.iat) > now + tolerance)
      throw new TokenError('invalid_token');
    if (claims.exp <= now - tolerance) throw new TokenError('token_expired');
    return claims;
  };
}

type Fields = Record<string, unknown>;

/** The parts of a token of the right form, without a check of its signature. */
function parse(token: string) {
  const parts = typeof token === 'string' && token.length <= maxLength ? token.split('.') : [];
  const [head, body, signature] = parts.map(decodeBase64url);
  const header = parseJson(head);
  const claims = parseJson(body);
  if (parts.length !== 3 || !signature || !isHeader(header) || !areClaims(claims))
    throw new TokenError('invalid_token');
  const data = new TextEncoder().encode(token.slice(0, token.lastIndexOf('.')));
  return { header, claims, signature, data };
}

/** An object in JSON, in UTF-8 without a byte order mark. */
function parseJson(bytes: Uint8Array<ArrayBuffer> | undefined): Fields {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : {};
  } catch {
    return {};
  }
}

function isHeader(header: Fields): header is { alg: string; kid: string } {
  // Refresh tokens and the tokens of others have other types. No extension is known here (RFC 7515 section 4.1.11).
  return header['typ'] === 'at+jwt' && typeof header['kid'] === 'string' && !('crit' in header);
}

const texts = ['iss', 'aud', 'sub', 'sid', 'jti', 'email'];

function areClaims(claims: Fields): claims is Claims & { nbf?: number } {
  const { iat, exp, nbf = 0, email_verified } = claims;
  return (
    texts.every((name) => typeof claims[name] === 'string') &&
    typeof email_verified === 'boolean' &&
    // A number beyond these, such as 1e309, would never expire.
    [iat, exp].every(Number.isSafeInteger) &&
    Number.isFinite(nbf)
  );
}
