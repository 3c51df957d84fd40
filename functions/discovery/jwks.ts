import { discovery } from '#shared/contract/discovery.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { listPublicKeys } from '#shared/table/public-keys.ts';

export const handler = endpoint(discovery.jwks, async () => {
  const keys = await listPublicKeys();
  return {
    keys: keys.map(({ kid, n, e }) => ({
      kty: 'RSA' as const,
      use: 'sig' as const,
      alg: 'RS256' as const,
      kid,
      n,
      e,
    })),
  };
});
