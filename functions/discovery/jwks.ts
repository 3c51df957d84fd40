import { listPublicKeys } from '#shared/access/public-keys.ts';
import { discovery } from '#shared/contract/discovery.ts';
import { endpoint } from '#shared/http/endpoint.ts';

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
