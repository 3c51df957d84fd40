import { oauth } from '#shared/contract/oauth.ts';
import { endpoint } from '#shared/http/page-endpoint.ts';
import { redirectTo } from '#shared/http/reply.ts';
import { authorize } from '#shared/oauth/authorize.ts';

export const handler = endpoint(oauth.authorize, async ({ query, client, now }) =>
  (await authorize(query, { ...client, path: oauth.authorize.path }, now)).as((location) =>
    redirectTo(location),
  ),
);
