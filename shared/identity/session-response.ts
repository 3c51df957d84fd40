import type * as z from 'zod';
import { signAccessToken } from '../access/access-token.ts';
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
  'uid' | 'session_id' | 'counter' | 'project_id' | 'rotated_at'
>;

/** Signs the access token of a session. */
export function accessTokenOf(session: TokenSession, user: UserItem, keys: SigningKeys): string {
  const { uid, session_id, counter, project_id } = session;
  const iat = Math.floor(Date.parse(session.rotated_at) / 1_000);
  return signAccessToken(
    {
      iss: env.baseUrl(),
      sub: uid,
      aud: project_id,
      sid: session_id,
      iat,
      exp: iat + lifetimes.accessToken,
      jti: sha256(`${session_id} ${counter}`).slice(0, 22),
      email: user.email,
      email_verified: user.verified.email,
    },
    keys,
  );
}

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
    refresh_token: makeRefreshToken({ uid, session_id, counter }, keys.refreshSecret),
    uid,
    user: toUser(user),
    user_created,
  };
}
