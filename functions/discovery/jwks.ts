import { listPublishedKeys, toJwk } from '#shared/access/public-keys.ts';
import { discovery } from '#shared/contract/discovery.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { ReadCache } from '#shared/model/read-cache.ts';

/**
 * Kept for a moment: the keys are in one partition, which every instance reads to verify access tokens, and strangers
 * may ask for them as often as they like. A key is published a whole rotation before it signs.
 */
const published = new ReadCache<Awaited<ReturnType<typeof listPublishedKeys>>>(1);

export const handler = endpoint(discovery.jwks, async ({ now }) => {
  const keys = await published.read('keys', now, lifetimes.publishedKeys, listPublishedKeys);
  return { keys: keys.map(toJwk) };
});
