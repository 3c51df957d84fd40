import { createHash } from 'node:crypto';
import * as z from 'zod';
import { isSignedBy, type Jws, readJws, type Signer, signJws } from '../access/jws.ts';
import type { SessionItem } from '../access/live-session.ts';
import { getPublicKey } from '../access/public-keys.ts';
import { authenticationOf } from '../identity/sessions/authentication.ts';
import type { UserItem } from '../identity/users/users.ts';
import { env } from '../model/env.ts';
import { sessionId, uuid } from '../model/fields.ts';
import { lifetimes, limits } from '../model/limits.ts';
import { userClaims } from './scopes.ts';

/** The source of an ID token's claims, besides those of the scopes. */
export type IdTokenContent = {
  session: SessionItem;
  user: UserItem;
  client_id: string;
  /** As the request had it; a renewed token has none (OpenID Connect Core 1.0, section 12.2). */
  nonce?: string | undefined;
  access_token: string;
};

const claimsOfToken = ['name', 'picture', 'email', 'email_verified'];

/** Whether a claim is in the token: a long picture would make it too long for an address. */
const isOfToken = ([name, value]: [string, string | boolean]): boolean =>
  claimsOfToken.includes(name) &&
  (name !== 'picture' || Buffer.byteLength(String(value)) <= limits.idTokenPicture);

/**
 * Signs the ID token of a client's session (Core, section 2). Its `typ` is not that of an access token, and its `aud`
 * is a client and no project: neither token is taken for the other.
 */
export function signIdToken(content: IdTokenContent, key: Signer): string {
  const { session, user, client_id, nonce, access_token } = content;
  const iat = Math.floor(Date.parse(session.rotated_at) / 1_000);
  const about = Object.entries(userClaims(user, session.scope ?? ''));
  // A refreshed token has the time of the first one (Core, section 12.2); relying parties compare them.
  const { authenticated_at = session.created_at, first_authenticated_at = authenticated_at } =
    session;
  return signJws(
    'JWT',
    {
      iss: env.baseUrl(),
      sub: session.uid,
      aud: client_id,
      sid: session.session_id,
      iat,
      exp: iat + lifetimes.idToken,
      ...authenticationOf({ ...session, authenticated_at: first_authenticated_at }),
      ...(nonce !== undefined && { nonce }),
      at_hash: halfDigest(access_token),
      ...Object.fromEntries(about.filter(isOfToken)),
    },
    key,
  );
}

/** The left half of the digest (Core, section 3.1.3.6); both algorithms that we sign with use SHA-256. */
const halfDigest = (token: string): string =>
  createHash('sha256').update(token, 'ascii').digest().subarray(0, 16).toString('base64url');

const hint = z.object({
  iss: z.string(),
  sub: z.string().regex(uuid),
  aud: z.string().max(128),
  sid: sessionId,
});
export type IdTokenHint = z.output<typeof hint>;

/**
 * Reads an `id_token_hint`: a token that this service has signed, whose key it still knows. It may have expired (OpenID
 * Connect RP-Initiated Logout 1.0, section 2): it says who was signed in, and gives access to nothing. Undefined for
 * anything else, an access token among it.
 */
export async function readIdTokenHint(token: string): Promise<IdTokenHint | undefined> {
  const jws = readIdToken(token);
  const key = jws && (await getPublicKey(jws.kid));
  if (!key || !isSignedBy(jws, key)) return undefined;
  const claims = hint.safeParse(jws.content).data;
  return claims?.iss === env.baseUrl() ? claims : undefined;
}

function readIdToken(token: string): Jws | undefined {
  try {
    return readJws('JWT', token);
  } catch {
    return undefined;
  }
}
