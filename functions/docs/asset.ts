import { readFile } from 'node:fs/promises';
import { docs, type docsAssets } from '#shared/contract/docs.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';

type Asset = (typeof docsAssets)[number];

const types: Record<Asset, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
};

export const handler = endpoint(docs.asset, async ({ params }) => {
  const text = await readAsset(params.file);
  return reply(text, { headers: { 'content-type': types[params.file] } });
});

/** The bundle has its files beside it; from source, all but our own are still in their package. */
async function readAsset(file: Asset): Promise<string> {
  try {
    return await readFile(new URL(file, import.meta.url), 'utf8');
  } catch {
    return await readFile(new URL(import.meta.resolve(`swagger-ui-dist/${file}`)), 'utf8');
  }
}
