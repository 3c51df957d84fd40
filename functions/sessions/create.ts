import { issueTokens } from '#shared/auth/issue.ts';
import { signedIn } from '#shared/auth/sign-in.ts';
import { getSigningKeys } from '#shared/auth/signing-secret.ts';
import { sessions } from '#shared/contract/sessions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { startSession } from '#shared/table/session-starts.ts';
import { newSession } from '#shared/table/sessions.ts';
import { withWallet } from '#shared/table/user-wallet.ts';
import { requireUser } from '#shared/table/users.ts';

export const handler = endpoint(sessions.create, async ({ body, caller, now }) => {
  const { project_id } = caller;
  const session = newSession(project_id, body.uid, { method: 'project' }, now);
  const keys = await getSigningKeys();
  const reading = requireUser(project_id, body.uid);
  // It goes on beside the start; where that is refused nobody awaits it.
  reading.catch(() => {});
  return startSession(session).as(async () => {
    const user = await withWallet(await reading);
    return issueTokens(session, signedIn(user, session), keys, false);
  });
});
