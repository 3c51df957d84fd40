import type { KeyObject } from 'node:crypto';
import type * as z from 'zod';
import {
  type AccessClaims,
  type AuthenticationClaims,
  signAccessToken,
  type WorkspaceClaims,
} from '../../access/access-token.ts';
import type { PersonCaller } from '../../access/caller.ts';
import type { Signer } from '../../access/jws.ts';
import type { SessionItem } from '../../access/live-session.ts';
import { makeRefreshToken } from '../../access/refresh-token.ts';
import { epochSeconds } from '../../db/item.ts';
import { currentRequest } from '../../db/request-context.ts';
import { env } from '../../model/env.ts';
import { sha256 } from '../../model/ids.ts';
import { lifetimes } from '../../model/limits.ts';
import type { session as sessionShape } from '../../model/user-resources.ts';
import type { UserItem } from '../users/users.ts';
import { toUser } from '../users/views.ts';
import { authenticationOf } from './authentication.ts';

/** What a project puts into access tokens beside the service's own claims. */
export type CustomClaims = Record<string, unknown>;

/** What an access token says beside its user and session: the active workspace, and the claims of the project. */
export type TokenClaims = WorkspaceClaims & CustomClaims;

/**
 * The fields of a session that its access token needs. A caller that did not read the session passes `authentication`.
 */
type TokenSession =
  | SessionItem
  | (Pick<SessionItem, 'uid' | 'session_id' | 'counter' | 'project_id' | 'rotated_at'> &
      Pick<AccessClaims, 'client_id'> & { authentication: AuthenticationClaims });

/**
 * Signs the access token of a session.
 *
 * @param claims what it says beside the user: the active workspace, and the claims of the project
 */
export function accessTokenOf(
  session: TokenSession,
  user: UserItem,
  claims: TokenClaims,
  signer: Signer,
): string {
  const { session_id, counter } = session;
  const iat = Math.floor(Date.parse(session.rotated_at) / 1_000);
  const impersonator = 'method' in session ? session.actor?.id : undefined;
  const more = fitting(claims, impersonator);
  const exp = iat + lifeOf(impersonator);
  const authentication = 'method' in session ? authenticationOf(session) : session.authentication;
  const id = idOf(`${session_id} ${counter} ${authentication.auth_time}`);
  const jti = Object.keys(more).length === 0 ? id : idWith(id, more);
  return signed(
    { ...session, impersonator },
    user,
    { ...more, ...authentication, iat, exp, jti },
    signer,
  );
}

/** Seconds for which a token is valid: that of somebody who acts as the user for as long as the session. */
const lifeOf = (impersonator: string | undefined): number =>
  impersonator === undefined ? lifetimes.accessToken : lifetimes.actingSession;

/**
 * Signs another access token for the session of a caller, with an active workspace. It expires when the caller's does:
 * a thief of an access token gains no time by choosing workspaces.
 */
export function tokenInWorkspace(
  { claimed: { exp, jti, auth_time, amr, acr, client_id }, ...session }: PersonCaller,
  user: UserItem,
  claims: TokenClaims,
  signer: Signer,
  now: Date,
): string {
  const more = fitting(claims, session.impersonator);
  // A clock that is behind, within its tolerance, must not sign a token that lives longer than any.
  const iat = Math.max(epochSeconds(now), exp - lifeOf(session.impersonator));
  return signed(
    { ...session, client_id },
    user,
    { ...more, auth_time, amr, acr, iat, exp, jti: idWith(jti, more) },
    signer,
  );
}

/**
 * Signs another access token for a caller who has just reauthenticated, with what their session says of it.
 */
export function reauthenticatedToken(
  caller: PersonCaller,
  authentication: AuthenticationClaims,
  user: UserItem,
  claims: TokenClaims,
  signer: Signer,
  now: Date,
): string {
  const jti = idOf(`${caller.claimed.jti} ${authentication.auth_time}`);
  const claimed = { ...caller.claimed, ...authentication, jti };
  return tokenInWorkspace({ ...caller, claimed }, user, claims, signer, now);
}

/**
 * Of the project's claims, the workspace, the permissions and who acts as the user, as JSON: every verifier takes a
 * token of 4 KiB.
 */
const maxClaimBytes = 1_800;

/** Leaves the permissions out where the other claims leave too little room for them. */
function fitting(claims: TokenClaims, impersonator = ''): TokenClaims {
  const { permissions, ...rest } = claims;
  const bytes = Buffer.byteLength(JSON.stringify(claims)) + Buffer.byteLength(impersonator);
  const isTooLarge = bytes > maxClaimBytes;
  return permissions && isTooLarge ? { ...rest, permissions_truncated: true } : claims;
}

function signed(
  {
    project_id,
    uid,
    session_id,
    impersonator,
    client_id = project_id,
  }: Pick<PersonCaller, 'project_id' | 'uid' | 'session_id' | 'impersonator'> &
    Pick<AccessClaims, 'client_id'>,
  { email, verified }: UserItem,
  own: Pick<AccessClaims, 'iat' | 'exp' | 'jti'> & AuthenticationClaims & TokenClaims,
  signer: Signer,
): string {
  const act = impersonator === undefined ? {} : { act: { sub: impersonator } };
  const of = { iss: env.baseUrl(), sub: uid, aud: project_id, client_id, sid: session_id, ...act };
  // What identifies user and session comes last: nothing that a project chose replaces it.
  return signAccessToken({ ...own, ...of, email, email_verified: verified.email }, signer);
}

const idOf = (text: string) => sha256(text).slice(0, 22);

/** The id of a token that says more than the one of this id: no two tokens that say different things have the same. */
function idWith(id: string, more: TokenClaims): string {
  const { workspace_id = '', workspace_role = '', ...custom } = more;
  const rest = Object.keys(custom).length === 0 ? '' : ` ${JSON.stringify(custom)}`;
  return idOf(`${id} ${workspace_id} ${workspace_role}${rest}`);
}

/** Seconds for which the access token of a caller, and so each that `tokenInWorkspace` signs, is still valid. */
export const secondsLeft = ({ claimed: { exp } }: PersonCaller, now: Date): number =>
  Math.max(0, exp - epochSeconds(now));

/** Seconds for which the access token of a session is still valid: fewer, if its refresh is repeated. */
export function secondsOfToken({ rotated_at }: Pick<SessionItem, 'rotated_at'>, now: Date): number {
  const age = Math.floor((now.getTime() - Date.parse(rotated_at)) / 1_000);
  return lifetimes.accessToken - Math.max(0, age);
}

/**
 * The response of every operation that starts or renews a session, with its access token. Both tokens are computed from
 * the session item alone, so that a repeated response within the grace period is identical, but for the signature of
 * ES256, which is random.
 */
export function issueTokens(
  { session, user, created }: { session: SessionItem; user: UserItem; created: boolean },
  access_token: string,
  refreshSecret: KeyObject,
): z.input<typeof sessionShape> {
  const { uid, session_id, project_id } = session;
  currentRequest().subject = { project_id, uid, session_id };
  return {
    access_token,
    refresh_token: session.actor ? '' : makeRefreshToken(session, refreshSecret),
    uid,
    user: toUser(user),
    user_created: created,
  };
}
