import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { sessions } from '#shared/contract/sessions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { actingSession, impersonationNotice } from '#shared/identity/sessions/impersonation.ts';
import { newSession } from '#shared/identity/sessions/sessions.ts';
import { startSession } from '#shared/identity/sessions/start-session.ts';
import { issueTokensFor } from '#shared/identity/sessions/token-claims.ts';
import { withLastSignIn } from '#shared/identity/sign-in/first-factor.ts';
import { requireUser } from '#shared/identity/users/users.ts';
import { withWallet } from '#shared/identity/wallet/user-wallet.ts';

export const handler = endpoint(sessions.create, async ({ body, caller, now }) => {
  const { project_id } = caller;
  const { uid, actor } = body;
  const started = newSession(project_id, uid, { method: 'project' }, now);
  const session = actor ? actingSession(started, actor, caller.project, now) : started;
  const signingKeys = await getSigningKeys();
  const reading = requireUser(project_id, uid);
  // Runs in parallel with the start of the session, and is not awaited if that is refused.
  reading.catch(() => {});
  const writes = actor && impersonationNotice(session, await reading, caller.project, now);
  return startSession(session, { ...(writes && { writes }) }).as(async () => {
    const user = await withWallet(await reading);
    const signedIn = { session, user: withLastSignIn(user, session), created: false };
    return issueTokensFor(caller.project, signedIn, signingKeys);
  });
});
