import { targetUserId } from '#shared/access/caller.ts';
import { findLiveSession } from '#shared/access/live-session.ts';
import { sessions } from '#shared/contract/sessions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { endOtherSession, endSession } from '#shared/identity/sessions/sessions.ts';
import { notFound } from '#shared/model/errors.ts';

export const handler = endpoint(sessions.end, async ({ params, query, caller, now }) => {
  const uid = targetUserId(caller, query.user_id);
  const { session_id } = params;
  const { project_id } = caller;
  const session = await findLiveSession({ project_id, uid, session_id }, now);
  if (!session) throw notFound('no such live session');
  const isOther = caller.kind === 'person' && caller.session_id !== session_id;
  const ending = isOther
    ? endOtherSession(uid, session_id, caller.session_id)
    : endSession(session);
  return ending.as(() => ({ session_id, ended_at: now.toISOString() }));
});
