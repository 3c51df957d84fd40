import { oauth } from '#shared/contract/oauth.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { redirectTo } from '#shared/http/reply.ts';
import { env } from '#shared/model/env.ts';
import { withParameters } from '#shared/oauth/redirect-uri.ts';

/** A browser attaches no cookie to a form of another site (SameSite=Lax), but to the navigation that follows. */
export const handler = endpoint(oauth.authorizeByForm, async ({ body }) =>
  redirectTo(withParameters(`${env.baseUrl()}${oauth.authorize.path}`, body)),
);
