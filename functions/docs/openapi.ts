import { docs } from '#shared/contract/docs.ts';
import { replyCompressed } from '#shared/http/compressed-reply.ts';
import { endpoint } from '#shared/http/endpoint.ts';

export const handler = endpoint(docs.openapi, async ({ client }) =>
  replyCompressed(client.accept_encoding, {
    file: 'openapi.json',
    base: import.meta.url,
    // Hundreds of kilobytes that an instance parses when they are first asked for, not before it is ready.
    load: async () => (await import('#docs/openapi.json', { with: { type: 'json' } })).default,
  }),
);
