import { discovery, providerPaths } from '#shared/contract/discovery.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { openidMetadata } from '#shared/oauth/metadata.ts';

export const handler = endpoint(discovery.oauthAuthorizationServer, async () =>
  openidMetadata(providerPaths),
);
