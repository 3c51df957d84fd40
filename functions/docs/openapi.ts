import { docs } from '#shared/contract/docs.ts';
import { endpoint } from '#shared/http/endpoint.ts';

export const handler = endpoint(docs.openapi, async () => {
  // 78 KB that an instance parses with its first request, not before it is ready.
  const { default: document } = await import('#docs/openapi.json', { with: { type: 'json' } });
  return document;
});
