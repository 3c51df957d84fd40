import { oauth } from '#shared/contract/oauth.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { ApiError } from '#shared/model/errors.ts';
import { authenticateClient } from '#shared/oauth/client-authentication.ts';
import { grantTypes } from '#shared/oauth/grants.ts';

export const handler = endpoint(
  oauth.token,
  async ({ body, client: { authorization, address }, now }) => {
    const knownClient = await authenticateClient({ ...body, authorization, address });
    const { grant_type } = body;
    if (grant_type === 'authorization_code' || grant_type === 'refresh_token') {
      const granted = await grantTypes[grant_type](body, knownClient, now);
      // RFC 6749 section 5.1 requires it beside `no-store`.
      return granted.as((tokens) => reply(tokens, { headers: { pragma: 'no-cache' } }));
    }
    throw new ApiError('unsupported_grant_type');
  },
);
