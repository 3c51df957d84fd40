import { sessions } from '#shared/contract/sessions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { endSession } from '#shared/identity/sessions/sessions.ts';

export const handler = endpoint(sessions.signOut, async ({ caller, now }) => {
  const { session_id } = caller;
  return endSession(caller).as(() => ({ session_id, ended_at: now.toISOString() }));
});
