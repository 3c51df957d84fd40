import { clearSessionCookie } from '#shared/access/session-cookie.ts';
import { oauth } from '#shared/contract/oauth.ts';
import { endpoint } from '#shared/http/page-endpoint.ts';
import { redirectTo } from '#shared/http/reply.ts';
import { logout } from '#shared/oauth/logout.ts';

export const handler = endpoint(oauth.logout, async ({ query, client, now }) =>
  (await logout(query, { ...client, path: oauth.logout.path }, now)).as(({ location, clears }) =>
    redirectTo(location, { cookies: clears === undefined ? [] : [clearSessionCookie(clears)] }),
  ),
);
