import { targetUserId } from '#shared/access/caller.ts';
import { sessions } from '#shared/contract/sessions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { endAllSessions } from '#shared/identity/sessions/sessions.ts';
import { requireUser } from '#shared/identity/users/users.ts';

export const handler = endpoint(sessions.endAll, async ({ query, caller }) => {
  const uid = targetUserId(caller, query.user_id);
  const user = await requireUser(caller.project_id, uid);
  const asking = caller.kind === 'person' ? caller.session_id : undefined;
  return (await endAllSessions(user, asking)).as((ended) => ({ ended }));
});
