import { targetUserId } from '#shared/access/caller.ts';
import { sessions } from '#shared/contract/sessions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { endOtherSession, endSession, requireSession } from '#shared/identity/sessions/sessions.ts';

export const handler = endpoint(sessions.end, async ({ params, query, caller, now }) => {
  const uid = targetUserId(caller, query.user_id);
  const { session_id } = params;
  const session = await requireSession(caller.project_id, uid, session_id, now);
  const isOther = caller.kind === 'person' && caller.session_id !== session_id;
  const ending = isOther
    ? endOtherSession(uid, session_id, caller.session_id)
    : endSession(session);
  return ending.as(() => ({ session_id, ended_at: now.toISOString() }));
});
