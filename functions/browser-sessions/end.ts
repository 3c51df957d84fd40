import { requireHostedPages } from '#shared/access/hosted-pages.ts';
import { isLive, type SessionItem } from '#shared/access/live-session.ts';
import { clearSessionCookie } from '#shared/access/session-cookie.ts';
import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { browserSessions } from '#shared/contract/browser-sessions.ts';
import { getItem } from '#shared/db/batch-loader.ts';
import { unchanged } from '#shared/db/change.ts';
import { currentRequest } from '#shared/db/request-context.ts';
import { keys } from '#shared/db/schema.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { ofBrowsers, readClaims } from '#shared/identity/browser-session.ts';
import { endSession } from '#shared/identity/sessions.ts';

export const handler = endpoint(browserSessions.end, async ({ params, caller, now }) => {
  const { project_id } = params;
  await requireHostedPages(project_id);
  const { refreshSecret } = await getSigningKeys();
  const claims = readClaims(caller.token, refreshSecret);
  const session =
    claims && (await getItem<SessionItem>(keys.session(claims.uid, claims.session_id)));
  const isOwn = session?.project_id === project_id && ofBrowsers.includes(session);
  if (isOwn)
    currentRequest().subject = { project_id, uid: session.uid, session_id: session.session_id };
  // The browser is signed out even if the cookie was not valid.
  const ending = isOwn && isLive(session, now) ? endSession(session) : unchanged(undefined);
  return ending.as(() =>
    reply({ ended_at: now.toISOString() }, { cookies: [clearSessionCookie(project_id)] }),
  );
});
