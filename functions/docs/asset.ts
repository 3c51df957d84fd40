import { readFile } from 'node:fs/promises';
import { docs, type docsAssets, docsScripts } from '#shared/contract/docs.ts';
import { countFile } from '#shared/docs/file-limit.ts';
import { anyCoding, replyCompressed } from '#shared/http/compressed-reply.ts';
import { endpoint } from '#shared/http/page-endpoint.ts';

type Asset = (typeof docsAssets)[number];

export const handler = endpoint(docs.asset, async ({ params: { file }, client, now }) => {
  const load = () => readAsset(file);
  const source = { file, base: import.meta.url, load };
  // The address of a problem's `type`: people read it by curl.
  if (file === 'errors')
    return replyCompressed(client.accept_encoding, source, await errorsHeaders());
  countFile(now);
  return replyCompressed(client.accept_encoding ?? anyCoding, source, {
    'content-type': 'text/javascript; charset=utf-8',
  });
});

async function errorsHeaders() {
  const { errorsPolicy } = await import('#shared/docs/errors-page.ts');
  return {
    'cache-control': 'public, max-age=86400',
    'content-security-policy': errorsPolicy,
    'content-type': 'text/html; charset=utf-8',
  };
}

/** The bundle contains the scripts; a function that runs from source reads them where they come from. */
async function readAsset(file: Asset): Promise<string> {
  if (file === 'errors') return (await import('#shared/docs/errors-page.ts')).errorsPage();
  try {
    return await readFile(new URL(file, import.meta.url), 'utf8');
  } catch {
    return await readFile(sourceOf(file), 'utf8');
  }
}

function sourceOf(file: Exclude<Asset, 'errors'>): URL {
  if (file === docsScripts.start) return new URL('start.js', import.meta.url);
  // The package exports its style sheet, but not the browser build beside it.
  const style = import.meta.resolve('@scalar/api-reference/style.css');
  return new URL('browser/standalone.js', style);
}
