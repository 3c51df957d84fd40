import { issueTokens } from '#shared/auth/issue.ts';
import { getSigningKeys } from '#shared/auth/signing-secret.ts';
import { sessions } from '#shared/contract/sessions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { startSession } from '#shared/table/sessions.ts';
import { requireUser } from '#shared/table/users.ts';

export const handler = endpoint(sessions.create, async ({ body, caller, now }) => {
  const { project_id } = caller;
  const [session, user, keys] = await Promise.all([
    startSession(project_id, body.uid, now),
    requireUser(project_id, body.uid),
    getSigningKeys(),
  ]);
  return issueTokens(session, { ...user, last_sign_in_at: session.created_at }, keys, false);
});
