import { requireHostedPagesAt } from '#shared/access/hosted-pages.ts';
import { sessionEnded } from '#shared/access/live-session.ts';
import { readRefreshToken } from '#shared/access/refresh-token.ts';
import { readSessionCookie } from '#shared/access/session-cookie.ts';
import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { browserSessions } from '#shared/contract/browser-sessions.ts';
import { currentRequest } from '#shared/db/request-context.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import {
  cookieOf,
  findEndable,
  findSession,
  takeOver,
} from '#shared/identity/sessions/browser-session.ts';

export const handler = endpoint(browserSessions.keep, async ({ params, caller, client, now }) => {
  const { project_id } = params;
  const { refreshSecret } = await getSigningKeys();
  const claims = readRefreshToken(caller.token, refreshSecret);
  await requireHostedPagesAt(project_id, client.host);
  const before = readSessionCookie(client.cookies, project_id);
  const [session, replaced] = await Promise.all([
    findSession(claims, project_id, now),
    before === undefined ? undefined : findEndable(before, project_id, now),
  ]);
  if (!session) throw sessionEnded();
  const taking = takeOver(session, replaced, now);
  const { uid, session_id } = session;
  currentRequest().subject = { project_id, uid, session_id };
  const { cookie, maxAge } = cookieOf(session, refreshSecret, now);
  return taking.as(() => reply({ expires_in: maxAge }, { cookies: [cookie] }));
});
