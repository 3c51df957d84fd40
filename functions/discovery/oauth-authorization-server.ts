import { discovery } from '#shared/contract/discovery.ts';
import { oauth } from '#shared/contract/oauth.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { env } from '#shared/model/env.ts';
import { metadataOf } from '#shared/oauth/metadata.ts';

export const handler = endpoint(discovery.oauthAuthorizationServer, async () =>
  metadataOf(env.baseUrl(), {
    keys: discovery.jwks.path,
    authorize: oauth.authorize.path,
    token: oauth.token.path,
    userinfo: oauth.userinfo.path,
    logout: oauth.logout.path,
  }),
);
