import type * as z from 'zod';
import {
  type AccessClaims,
  signAccessToken,
  type WorkspaceClaims,
} from '../access/access-token.ts';
import type { PersonCaller } from '../access/caller.ts';
import type { SessionItem } from '../access/live-session.ts';
import { makeRefreshToken } from '../access/refresh-token.ts';
import type { SigningKeys } from '../access/signing-keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { env } from '../model/env.ts';
import { sha256 } from '../model/ids.ts';
import { lifetimes } from '../model/limits.ts';
import type { session as sessionShape } from '../model/user-resources.ts';
import type { UserItem } from './users.ts';
import { toUser } from './views.ts';

/** What tokens are made of. */
type TokenSession = Pick<
  SessionItem,
  'uid' | 'session_id' | 'counter' | 'project_id' | 'rotated_at' | 'actor'
>;

/** Signs the access token of a session, which names its active workspace. */
export function accessTokenOf(
  session: TokenSession,
  user: UserItem,
  keys: SigningKeys,
  active: WorkspaceClaims = {},
): string {
  const { uid, session_id, counter, project_id, actor } = session;
  const iat = Math.floor(Date.parse(session.rotated_at) / 1_000);
  const exp = iat + lifeOf(actor?.id);
  const id = idOf(`${session_id} ${counter}`);
  const jti = active.workspace_id === undefined ? id : idWith(id, active);
  const of = { project_id, uid, session_id, impersonator: actor?.id };
  return signed(of, user, { iat, exp, jti, ...active }, keys);
}

/** Seconds for which a token is valid: that of somebody who acts as the user for as long as the session. */
const lifeOf = (impersonator: string | undefined): number =>
  impersonator === undefined ? lifetimes.accessToken : lifetimes.actingSession;

/**
 * Signs another access token for the session of a caller, with an active workspace. It expires when the caller's does:
 * whoever has only a stolen access token gains no time by choosing workspaces.
 */
export function tokenInWorkspace(
  { claimed: { exp, jti }, ...session }: PersonCaller,
  user: UserItem,
  active: WorkspaceClaims,
  now: Date,
  keys: SigningKeys,
): string {
  // A clock that is behind, within its tolerance, must not sign a token that lives longer than any.
  const iat = Math.max(Math.floor(now.getTime() / 1_000), exp - lifeOf(session.impersonator));
  return signed(session, user, { iat, exp, jti: idWith(jti, active), ...active }, keys);
}

function signed(
  {
    project_id,
    uid,
    session_id,
    impersonator,
  }: Pick<PersonCaller, 'project_id' | 'uid' | 'session_id' | 'impersonator'>,
  { email, verified }: UserItem,
  own: Pick<AccessClaims, 'iat' | 'exp' | 'jti'> & WorkspaceClaims,
  keys: SigningKeys,
): string {
  const act = impersonator === undefined ? {} : { act: { sub: impersonator } };
  const of = { iss: env.baseUrl(), sub: uid, aud: project_id, sid: session_id, ...act };
  return signAccessToken({ ...of, ...own, email, email_verified: verified.email }, keys);
}

const idOf = (text: string) => sha256(text).slice(0, 22);

/** The id of a token that differs from that of another id in the active workspace: no two tokens have the same. */
const idWith = (id: string, { workspace_id, workspace_role }: WorkspaceClaims) =>
  idOf(`${id} ${workspace_id ?? ''} ${workspace_role ?? ''}`);

/** Seconds for which the access token of a session is still valid: fewer, if its refresh is repeated. */
export function secondsOfToken({ rotated_at }: Pick<SessionItem, 'rotated_at'>, now: Date): number {
  const age = Math.floor((now.getTime() - Date.parse(rotated_at)) / 1_000);
  return lifetimes.accessToken - Math.max(0, age);
}

/**
 * The response of every operation that starts or renews a session. Both tokens are computed from the session item
 * alone, so that a repeated response within the grace period is identical, but for the signature of ES256, which is
 * random.
 */
export function issueTokens(
  session: TokenSession,
  user: UserItem,
  keys: SigningKeys,
  user_created: boolean,
  access_token: string = accessTokenOf(session, user, keys),
): z.input<typeof sessionShape> {
  const { uid, session_id, counter, project_id } = session;
  currentRequest().subject = { project_id, uid, session_id };
  return {
    access_token,
    refresh_token: session.actor
      ? ''
      : makeRefreshToken({ uid, session_id, counter }, keys.refreshSecret),
    uid,
    user: toUser(user),
    user_created,
  };
}
