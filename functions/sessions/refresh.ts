import { verifyAccessToken } from '#shared/access/access-token.ts';
import { getPublicKey } from '#shared/access/public-keys.ts';
import { readRefreshToken } from '#shared/access/refresh-token.ts';
import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { sessions } from '#shared/contract/sessions.ts';
import { currentRequest } from '#shared/db/request-context.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { rotateSession } from '#shared/identity/rotate-session.ts';
import { issueTokens } from '#shared/identity/session-response.ts';
import { withWallet } from '#shared/identity/user-wallet.ts';
import { getUser } from '#shared/identity/users.ts';
import { env } from '#shared/model/env.ts';
import { ApiError } from '#shared/model/errors.ts';

export const handler = endpoint(sessions.refresh, async ({ body, caller, now }) => {
  const keys = await getSigningKeys();
  const refresh = readRefreshToken(caller.token, keys.refreshSecret);
  const access = await verifyAccessToken(
    body.accessToken,
    env.baseUrl(),
    now,
    getPublicKey,
    'accept',
  );
  if (access.sub !== refresh.uid || access.sid !== refresh.session_id)
    throw new ApiError('unauthenticated', {
      detail: 'The two tokens belong to different sessions',
    });
  const project_id = access.aud;
  currentRequest().subject = { uid: refresh.uid, session_id: refresh.session_id, project_id };
  const reading = getUser(project_id, refresh.uid);
  // Runs in parallel with the rotation, and is not awaited if that is refused.
  reading.catch(() => {});
  return rotateSession(refresh, project_id, now).as(async (session) => {
    const user = await reading;
    if (!user) throw new ApiError('unauthenticated', { reason: 'the user was deleted' });
    return issueTokens(session, await withWallet(user), keys, false);
  });
});
