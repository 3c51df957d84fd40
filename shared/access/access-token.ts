import { hash, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import { BoundedMap } from '../model/bounded-map.ts';
import { ApiError } from '../model/errors.ts';
import { projectId, sessionId, uuid, workspaceId, workspaceRole } from '../model/fields.ts';
import { lifetimes } from '../model/limits.ts';
import { isReservedClaim } from '../model/token-claims.ts';
import { isSignedBy, once, readJws, type Signer, signJws } from './jws.ts';

/** RFC 9068 profile of RFC 7519. */
const claims = z.object({
  iss: z.string(),
  // Exactly as signed, in lower case; elsewhere clients may write a uid in any case.
  sub: z.string().regex(uuid),
  aud: projectId,
  /** The OAuth client of the session, else the project (RFC 9068 section 2.2). Absent in tokens before 0.21.0. */
  client_id: z.string().optional(),
  sid: sessionId,
  iat: z.int(),
  exp: z.int(),
  jti: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  /** When and how the person signed in (RFC 9068 section 2.2.1). Absent in tokens of before there were these claims. */
  auth_time: z.int().optional(),
  amr: z.array(z.string()).optional(),
  acr: z.string().optional(),
  /** Who acts as the user (RFC 8693 section 4.1). */
  act: z.object({ sub: z.string() }).optional(),
  workspace_id: workspaceId.optional(),
  workspace_role: workspaceRole.optional(),
  permissions: z.array(z.string()).optional(),
  permissions_truncated: z.boolean().optional(),
});
export type AccessClaims = z.output<typeof claims>;
/** When and how the person of a session signed in. */
export type AuthenticationClaims = Pick<AccessClaims, 'auth_time' | 'amr' | 'acr'>;
/** The active workspace of a session, what the user is there and may do, or none of it. */
export type WorkspaceClaims = Pick<
  AccessClaims,
  'workspace_id' | 'workspace_role' | 'permissions' | 'permissions_truncated'
>;
/** The service never sets `nbf`, but enforces it if present (RFC 7519 section 4.1.5). */
const presented = claims.extend({ nbf: z.number().optional() });

type Verified = { kid: string; key: KeyObject; claims: z.output<typeof presented> };
type FindKey = (kid: string) => Promise<KeyObject | undefined>;

/** Tokens that this instance has verified, by their SHA-256: a thousand are about 1 MB. */
const remembered = new BoundedMap<Verified>(1_000);

/** Signs an access token with the algorithm of the key. */
export const signAccessToken = (content: AccessClaims, key: Signer): string =>
  signJws('at+jwt', content, key);

/**
 * Verifies an access token strictly (RFC 8725): algorithm and type are pinned, the key comes only from the service's
 * own set, header parameters other than `alg`, `typ` and `kid` are rejected, every claim is required and typed, and a
 * lifetime longer than the service issues is rejected. Throws `unauthenticated`, or `token_expired` for an otherwise
 * valid token. `expired: 'accept'` ignores only the expiry.
 */
export async function verifyAccessToken(
  token: string,
  issuer: string,
  now: Date,
  findKey: FindKey,
  expired: 'refuse' | 'accept' = 'refuse',
): Promise<AccessClaims> {
  const { nbf, ...content } = await signedClaims(token, findKey);
  const seconds = now.getTime() / 1_000;
  const validFrom = Math.max(content.iat, nbf ?? content.iat) - lifetimes.clockTolerance;
  const longest = content.act ? lifetimes.actingSession : lifetimes.accessToken;
  if (content.iss !== issuer) throw refused('another issuer');
  if (seconds < validFrom) throw refused('from the future');
  if (content.exp - content.iat > longest) throw refused();
  if (expired === 'refuse' && content.exp <= seconds - lifetimes.clockTolerance)
    throw new ApiError('token_expired', { reason: 'the access token has expired' });
  return content;
}

/** The claims of a verified token that its project chose, as they were when it was signed. */
export const customClaims = (token: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(readJws('at+jwt', token).content as object).filter(
      ([name]) => !isReservedClaim(name),
    ),
  );

/** The project that a token names, before anything of it is verified: only to read it ahead. */
export function claimedProject(token: string): string | undefined {
  try {
    const { aud } = readJws('at+jwt', token).content as { aud?: unknown };
    return projectId.safeParse(aud).data;
  } catch {
    return undefined;
  }
}

/**
 * The claims of a token with a good signature, whatever they say. A token is verified once by an instance, which saves
 * 60 us of each further request, and again when its key has been read anew: a key that is gone verifies nothing.
 */
async function signedClaims(token: string, findKey: FindKey): Promise<Verified['claims']> {
  const digest = hash('sha256', token, 'base64url');
  const cached = remembered.get(digest);
  if (cached && (await findKey(cached.kid)) === cached.key) return cached.claims;

  const jws = orRefuse(() => readJws('at+jwt', token));
  const { kid } = jws;
  const key = await findKey(kid);
  if (!key) throw refused('unknown key');
  if (!isSignedBy(jws, key)) throw refused();
  const content = orRefuse(() => presented.parse(jws.content, once));
  remembered.set(digest, { kid, key, claims: content });
  return content;
}

function orRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw refused(undefined, cause);
  }
}

/** The client learns no reason; the log has it, because a mistake in operation looks like a forgery otherwise. */
const refused = (reason = 'no access token', cause?: unknown): ApiError =>
  new ApiError('unauthenticated', { detail: 'The access token is not valid', reason, cause });
