import { oauth } from '#shared/contract/oauth.ts';
import { endpoint } from '#shared/http/page-endpoint.ts';
import { redirectTo } from '#shared/http/reply.ts';
import { formAsQuery } from '#shared/oauth/redirect-uri.ts';

export const handler = endpoint(oauth.logoutByForm, async ({ body }) =>
  redirectTo(formAsQuery(oauth.logout.path, body)),
);
