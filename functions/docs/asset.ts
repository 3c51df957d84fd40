import { readFile } from 'node:fs/promises';
import { docs, type docsAssets } from '#shared/contract/docs.ts';
import { replyCompressed } from '#shared/http/compressed-reply.ts';
import { endpoint } from '#shared/http/endpoint.ts';

type Asset = (typeof docsAssets)[number];

const types: Record<Asset, string> = {
  errors: 'text/html; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
};

export const handler = endpoint(docs.asset, async ({ params: { file }, client }) => {
  const headers = { 'content-type': types[file], ...(await policyOf(file)) };
  const load = () => readAsset(file);
  return replyCompressed(client.accept_encoding, { file, base: import.meta.url, load }, headers);
});

async function policyOf(file: Asset) {
  if (file !== 'errors') return {};
  const { errorsPolicy } = await import('#shared/docs/errors-page.ts');
  return { 'content-security-policy': errorsPolicy };
}

/** The bundle contains its files; from source, all but our own are still in their npm package. */
async function readAsset(file: Asset): Promise<string> {
  if (file === 'errors') return (await import('#shared/docs/errors-page.ts')).errorsPage();
  try {
    return await readFile(new URL(file, import.meta.url), 'utf8');
  } catch {
    return await readFile(new URL(import.meta.resolve(`swagger-ui-dist/${file}`)), 'utf8');
  }
}
