import { readFile } from 'node:fs/promises';
import { type Coding, codings, compress } from '../docs/compress.ts';
import { EncodedReply, type Reply, reply } from './reply.ts';

/**
 * The header that a request without one stands for where large files are concerned: then any coding is acceptable (RFC
 * 9110 section 12.5.3). Without it the reference's script is 4.35 MB in place of 1.26 MB.
 */
export const anyCoding = '*';

/**
 * The content coding that an `Accept-Encoding` header prefers (RFC 9110 section 12.5.3); undefined for none. Of those
 * that it accepts without a name, by `*`, it is gzip: whatever decodes anything decodes gzip, and much of it not br.
 */
export function codingFor(accept: string): Coding | undefined {
  const weights = new Map(
    accept.split(',').map((part): [string, number] => {
      const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
      const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight)];
    }),
  );
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const isRisk = (coding: string) => Number(coding !== 'gzip' && !weights.has(coding));
  const [best] = codings
    .filter((coding) => weightOf(coding) > 0)
    .toSorted((a, b) => weightOf(b) - weightOf(a) || isRisk(a) - isRisk(b));
  return best && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined;
}

/** Content compressed at run time, by file and coding: once per process. */
const made = new Map<string, Promise<Buffer>>();

/**
 * Returns static content in the coding that the client prefers, because API Gateway does not compress. The compressed
 * file was written next to the function at bundling; a function that runs from source compresses it on first use.
 *
 * @param accept the `Accept-Encoding` header. Where there is none the content is not compressed: most programs without
 * the header, such as curl or a generator of clients, decode nothing and read text. Large files that browsers alone
 * load take `anyCoding` for it.
 * @param file name of the file, to which the coding is appended
 * @param base `import.meta.url` of the function
 * @param load loads the uncompressed content, for clients that accept no coding
 */
export async function replyCompressed<T>(
  accept: string | undefined,
  { file, base, load }: { file: string; base: string; load: () => T | Promise<T> },
  headers: Record<string, string> = {},
): Promise<Reply<T> | EncodedReply> {
  const coding = codingFor(accept ?? '');
  if (coding === undefined) return reply(await load(), { headers });
  const name = `${file}.${coding}`;
  try {
    return new EncodedReply(await readFile(new URL(name, base)), coding, headers);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const key = `${base} ${name}`;
  const bytes = made.get(key) ?? compress(await load(), coding);
  made.set(key, bytes);
  return new EncodedReply(await bytes, coding, headers);
}
