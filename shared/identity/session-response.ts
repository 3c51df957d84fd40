import type * as z from 'zod';
import { signAccessToken } from '../access/access-token.ts';
import type { SessionItem } from '../access/live-session.ts';
import { makeRefreshToken } from '../access/refresh-token.ts';
import type { SigningKeys } from '../access/signing-keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { env } from '../model/env.ts';
import { sha256 } from '../model/ids.ts';
import { lifetimes } from '../model/limits.ts';
import type { session as sessionShape } from '../model/resources.ts';
import type { UserItem } from './users.ts';
import { toUser } from './views.ts';

/**
 * The response of every operation that starts or renews a session. Both tokens are computed from the session item
 * alone, so that a repeated response within the grace period is identical.
 */
export function issueTokens(
  session: SessionItem,
  user: UserItem,
  keys: SigningKeys,
  user_created: boolean,
): z.input<typeof sessionShape> {
  const { uid, session_id, counter, project_id } = session;
  currentRequest().subject = { project_id, uid, session_id };
  const iat = Math.floor(Date.parse(session.rotated_at) / 1_000);
  return {
    access_token: signAccessToken(
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
    ),
    refresh_token: makeRefreshToken({ uid, session_id, counter }, keys.refreshSecret),
    uid,
    user: toUser(user),
    user_created,
  };
}
