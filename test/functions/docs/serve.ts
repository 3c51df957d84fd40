import { onTestFinished } from 'vitest';
import { docs } from '#shared/contract/docs.ts';
import { startGateway } from '../../../local/gateway.ts';
import type { Handler } from '../../../local/lambda.ts';

/** Serves the documentation alone, which needs no table, and answers a request to it. */
export async function get(path: string): Promise<Response> {
  process.env['BASE_URL'] ??= 'http://127.0.0.1';
  process.env['LOG_LEVEL'] ??= 'silent';
  const gateway = await startGateway({
    routes: Object.values(docs),
    load: async (name) => {
      const source = new URL(`../../../functions/${name.replace('.', '/')}.ts`, import.meta.url);
      return ((await import(source.href)) as { handler: Handler }).handler;
    },
    fallback: null,
  });
  onTestFinished(() => gateway.close());
  return fetch(`${gateway.url}${path}`);
}
