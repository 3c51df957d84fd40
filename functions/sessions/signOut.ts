import { sessions } from '#shared/contract/sessions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { endSession } from '#shared/table/sessions.ts';

export const handler = endpoint(sessions.signOut, async ({ caller, now }) => {
  await endSession(caller);
  return { session_id: caller.session_id, ended_at: now.toISOString() };
});
