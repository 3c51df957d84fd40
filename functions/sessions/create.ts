import { issueTokens } from '#shared/auth/issue.ts';
import { getSigningKeys } from '#shared/auth/signing-secret.ts';
import { sessions } from '#shared/contract/sessions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { startSession } from '#shared/table/sessions.ts';
import { requireUser } from '#shared/table/users.ts';

export const handler = endpoint(sessions.create, async ({ body, caller, now }) => {
  const [user, keys] = await Promise.all([
    requireUser(caller.project_id, body.uid),
    getSigningKeys(),
  ]);
  const session = await startSession(user, now);
  return issueTokens(session, { ...user, last_sign_in_at: session.created_at }, keys, false);
});
