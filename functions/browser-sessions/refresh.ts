import { requireHostedPagesAt } from '#shared/access/hosted-pages.ts';
import { tryReadRefreshToken, whyNoneOfOurs } from '#shared/access/refresh-token.ts';
import { getSigningKeys, signerFor } from '#shared/access/signing-keys.ts';
import { browserSessions } from '#shared/contract/browser-sessions.ts';
import { currentRequest } from '#shared/db/request-context.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { clearingCookie, cookieOf } from '#shared/identity/sessions/browser-session.ts';
import { ofBrowsers } from '#shared/identity/sessions/renewable.ts';
import { rotateSession } from '#shared/identity/sessions/rotate-session.ts';
import { accessTokenOf, secondsOfToken } from '#shared/identity/sessions/session-response.ts';
import { tokenClaims } from '#shared/identity/sessions/token-claims.ts';
import { getUser } from '#shared/identity/users/users.ts';
import { toUser } from '#shared/identity/users/views.ts';
import { withWallet } from '#shared/identity/wallet/user-wallet.ts';
import { ApiError } from '#shared/model/errors.ts';
import { claimsOfSession } from '#shared/workspaces/active-workspace.ts';

export const handler = endpoint(
  browserSessions.refresh,
  async ({ params, caller, client, now }) => {
    const { project_id } = params;
    const [signingKeys, project] = await Promise.all([
      getSigningKeys(),
      requireHostedPagesAt(project_id, client.host),
    ]);
    const over = (failure: ApiError) => clearingCookie(failure, project_id);
    currentRequest().subject = { project_id };
    const refresh = tryReadRefreshToken(caller.token, signingKeys.refreshSecret);
    const detail = 'The session cookie is not valid';
    if (!refresh)
      throw over(new ApiError('unauthenticated', { detail, reason: whyNoneOfOurs(caller.token) }));
    const { uid, session_id } = refresh;
    currentRequest().subject = { project_id, uid, session_id };
    // Read while the rotation is under way, and given to nobody if that is refused.
    const reading = getUser(project_id, uid);
    reading.catch(() => {});
    return rotateSession({ ...refresh, renewable: ofBrowsers }, project_id, now)
      .ifRefused(over)
      .as(async (session) => {
        const user = await reading;
        if (!user) throw over(new ApiError('unauthenticated', { reason: 'the user was deleted' }));
        const claims = await tokenClaims(project, user, claimsOfSession(session));
        const signer = signerFor(project, signingKeys);
        return reply(
          {
            access_token: accessTokenOf(session, user, claims, signer),
            expires_in: secondsOfToken(session, now),
            uid,
            user: toUser(await withWallet(user)),
          },
          { cookies: [cookieOf(session, signingKeys.refreshSecret, now).cookie] },
        );
      });
  },
);
