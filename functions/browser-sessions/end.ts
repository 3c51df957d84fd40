import { requireHostedPagesAt } from '#shared/access/hosted-pages.ts';
import { clearSessionCookie } from '#shared/access/session-cookie.ts';
import { browserSessions } from '#shared/contract/browser-sessions.ts';
import { noChange } from '#shared/db/change.ts';
import { currentRequest } from '#shared/db/request-context.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { findEndable } from '#shared/identity/sessions/browser-session.ts';
import { endSession } from '#shared/identity/sessions/sessions.ts';

export const handler = endpoint(browserSessions.end, async ({ params, caller, client, now }) => {
  const { project_id } = params;
  await requireHostedPagesAt(project_id, client.host);
  const session = await findEndable(caller.token, project_id, now);
  if (session)
    currentRequest().subject = { project_id, uid: session.uid, session_id: session.session_id };
  // The browser is signed out even if the cookie was not valid.
  const ending = session ? endSession(session) : noChange(undefined);
  return ending.as(() =>
    reply({ ended_at: now.toISOString() }, { cookies: [clearSessionCookie(project_id)] }),
  );
});
