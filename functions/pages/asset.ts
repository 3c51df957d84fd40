import { pages } from '#shared/contract/pages.ts';
import { readPageFile } from '#shared/docs/page-files.ts';
import { anyCoding, replyCompressed } from '#shared/http/compressed-reply.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/model/errors.ts';

const types: Record<string, string> = { js: 'text/javascript', css: 'text/css' };

export const handler = endpoint(pages.asset, async ({ params: { file }, client }) => {
  const content = await readPageFile(import.meta.url, file);
  if (content === undefined) throw notFound('no such file');
  const type = types[file.slice(file.lastIndexOf('.') + 1)] ?? '';
  return replyCompressed(
    client.accept_encoding ?? anyCoding,
    { file, base: import.meta.url, load: () => content },
    { 'content-type': `${type}; charset=utf-8` },
  );
});
