import { docs } from '#shared/contract/docs.ts';
import { endpoint } from '#shared/http/page-endpoint.ts';
import { reply } from '#shared/http/reply.ts';

export const handler = endpoint(docs.home, async () =>
  reply(`See ${docs.page.path}`, { status: 302, headers: { location: docs.page.path } }),
);
