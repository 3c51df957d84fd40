import { listPublishedKeys, toJwk } from '#shared/access/public-keys.ts';
import { discovery } from '#shared/contract/discovery.ts';
import { endpoint } from '#shared/http/endpoint.ts';

export const handler = endpoint(discovery.jwks, async () => ({
  keys: (await listPublishedKeys()).map(toJwk),
}));
