import { docs } from '#shared/contract/docs.ts';
import { countFile } from '#shared/docs/file-limit.ts';
import { replyCompressed } from '#shared/http/compressed-reply.ts';
import { endpoint } from '#shared/http/endpoint.ts';

export const handler = endpoint(docs.openapi, async ({ client, now }) => {
  countFile(now);
  return replyCompressed(client.accept_encoding, {
    file: 'openapi.json',
    base: import.meta.url,
    // Hundreds of kilobytes: parsed on the first request for them, not at cold start.
    load: async () =>
      (await import('#docs/reference/openapi.json', { with: { type: 'json' } })).default,
  });
});
