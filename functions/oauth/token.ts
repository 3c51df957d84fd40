import { oauth } from '#shared/contract/oauth.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { ApiError } from '#shared/model/errors.ts';
import { authenticateClient } from '#shared/oauth/client-authentication.ts';
import { grantTypes } from '#shared/oauth/grants.ts';

export const handler = endpoint(
  oauth.token,
  async ({ body, client: { authorization, address }, now }) => {
    const knownClient = await authenticateClient({ ...body, authorization, address });
    const { grant_type } = body;
    if (grant_type === 'authorization_code' || grant_type === 'refresh_token')
      return grantTypes[grant_type](body, knownClient, now);
    throw new ApiError('unsupported_grant_type');
  },
);
