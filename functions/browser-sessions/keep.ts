import { requireHostedPages } from '#shared/access/hosted-pages.ts';
import { readRefreshToken } from '#shared/access/refresh-token.ts';
import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { browserSessions } from '#shared/contract/browser-sessions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { cookieOf, findSession } from '#shared/identity/browser-session.ts';
import { ApiError } from '#shared/model/errors.ts';

export const handler = endpoint(browserSessions.keep, async ({ params, caller, now }) => {
  const { project_id } = params;
  const { refreshSecret } = await getSigningKeys();
  const claims = readRefreshToken(caller.token, refreshSecret);
  await requireHostedPages(project_id);
  const session = await findSession(claims, project_id, now);
  if (!session) throw new ApiError('unauthenticated', { detail: 'The session has ended' });
  const { cookie, maxAge } = cookieOf(session, refreshSecret, now);
  return reply({ expires_in: maxAge }, { cookies: [cookie] });
});
