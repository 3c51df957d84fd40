import { targetUserId } from '#shared/access/caller.ts';
import { sessions } from '#shared/contract/sessions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { listSessions } from '#shared/identity/sessions/sessions.ts';
import { requireUser } from '#shared/identity/users/users.ts';
import { toSession } from '#shared/identity/users/views.ts';

export const handler = endpoint(sessions.list, async ({ query, caller, now }) => {
  const uid = targetUserId(caller, query.user_id);
  const [listed] = await Promise.all([
    listSessions(uid, now),
    caller.kind === 'project' ? requireUser(caller.project_id, uid) : undefined,
  ]);
  const current = caller.kind === 'person' ? caller.session_id : undefined;
  const result = listed.map((session) => toSession(session, current));
  return replyPage(result);
});
