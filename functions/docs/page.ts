import { docs, docsScripts } from '#shared/contract/docs.ts';
import { page, pagePolicy } from '#shared/docs/page.ts';
import { replyCompressed } from '#shared/http/compressed-reply.ts';
import { endpoint } from '#shared/http/page-endpoint.ts';

export const handler = endpoint(docs.page, async ({ client }) =>
  replyCompressed(
    client.accept_encoding,
    { file: 'page.html', base: import.meta.url, load: () => page(docsScripts) },
    { 'content-security-policy': pagePolicy },
  ),
);
