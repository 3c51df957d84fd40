import { readFile } from 'node:fs/promises';
import { type Coding, codings, compress } from '../docs/compress.ts';
import { EncodedReply, type Reply, reply } from './reply.ts';

/** The coding that an `Accept-Encoding` prefers (RFC 9110 section 12.5.3); undefined for none. */
export function codingFor(accept: string): Coding | undefined {
  const weights = new Map(
    accept.split(',').map((part): [string, number] => {
      const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
      const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight)];
    }),
  );
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const [best] = codings
    .filter((coding) => weightOf(coding) > 0)
    .toSorted((a, b) => weightOf(b) - weightOf(a));
  return best && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined;
}

/** Compressed from source, by file and coding: once in the life of the process. */
const made = new Map<string, Promise<Buffer>>();

/**
 * Answers what never changes in the coding that the client prefers: API Gateway compresses nothing. It was compressed at
 * bundling and lies beside the function; where the function runs from source it is compressed when it is first asked for.
 *
 * @param file its name, to which the coding is added
 * @param base `import.meta.url` of the function
 * @param load what is answered to a client that takes no coding
 */
export async function replyCompressed<T>(
  accept: string,
  { file, base, load }: { file: string; base: string; load: () => T | Promise<T> },
  headers: Record<string, string> = {},
): Promise<Reply<T> | EncodedReply> {
  const coding = codingFor(accept);
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
