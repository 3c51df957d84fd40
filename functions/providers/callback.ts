import { providers } from '#shared/contract/providers.ts';
import { endpoint } from '#shared/http/page-endpoint.ts';
import { redirectTo } from '#shared/http/reply.ts';
import { finishAtProvider } from '#shared/providers/callback.ts';

export const handler = endpoint(providers.callback, async ({ params, query, client, now }) =>
  (await finishAtProvider(query, { name: params.provider, cookies: client.cookies }, now)).as(
    ({ location, cookies }) => redirectTo(location, { cookies }),
  ),
);
