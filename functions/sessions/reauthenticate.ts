import { requireLiveSession } from '#shared/access/live-session.ts';
import { getSigningKeys, signerFor } from '#shared/access/signing-keys.ts';
import { sessions } from '#shared/contract/sessions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { authenticationOf } from '#shared/identity/sessions/authentication.ts';
import { reauthenticatedToken, secondsLeft } from '#shared/identity/sessions/session-response.ts';
import { tokenClaims } from '#shared/identity/sessions/token-claims.ts';
import { countAttempt } from '#shared/identity/sign-in/count-attempt.ts';
import { prepareReauthentication } from '#shared/identity/sign-in/reauthentication-proof.ts';
import { recordReauthentication } from '#shared/identity/sign-in/record-reauthentication.ts';
import { requireCaller } from '#shared/identity/users/users.ts';
import { claimsOfSession } from '#shared/workspaces/active-workspace.ts';

export const handler = endpoint(sessions.reauthenticate, async ({ body, caller, client, now }) => {
  const { project, project_id } = caller;
  const [user, session, signingKeys] = await Promise.all([
    requireCaller(caller),
    requireLiveSession(caller, now),
    getSigningKeys(),
  ]);
  const { method, prove } = prepareReauthentication(project, user, body, now);
  const attempt = await countAttempt(project_id, client, now);
  const reauthentication = await attempt.prove(method, prove);
  return recordReauthentication(caller, { user, session }, reauthentication, now).as(
    async (after) => {
      const claims = await tokenClaims(project, user, claimsOfSession(after));
      const [authentication, signer] = [authenticationOf(after), signerFor(project, signingKeys)];
      return {
        access_token: reauthenticatedToken(caller, authentication, user, claims, signer, now),
        expires_in: secondsLeft(caller, now),
      };
    },
  );
});
