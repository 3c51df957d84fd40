import { promisify } from 'node:util';

/** The content codings of static responses, the smaller one first. */
export const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/**
 * Compresses a text, or a value as JSON. @param thorough takes seconds for megabytes: for content that is compressed
 * once.
 */
export async function compress(value: unknown, coding: Coding, thorough = false): Promise<Buffer> {
  const { brotliCompress, constants, gzip } = await import('node:zlib');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const bytes = Buffer.from(text);
  if (coding === 'gzip') return promisify(gzip)(bytes, { level: thorough ? 9 : 6 });
  return promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: thorough ? 11 : 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
