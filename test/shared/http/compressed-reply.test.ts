import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { docs, docsAssets } from '#shared/contract/docs.ts';
import { codingFor } from '#shared/http/compressed-reply.ts';
import { buildFunction } from '../../../lib/bundle.ts';
import { fromBundles } from '../../../local/load.ts';
import { getRaw } from '../../functions/docs/serve.ts';
import { newFolder } from '../../support/folder.ts';

const paths = [
  docs.openapi.path,
  docs.page.path,
  ...docsAssets.map((file) => docs.asset.path.replace('{file}', file)),
];

test.each([
  ['', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br; q=0, GZIP', 'gzip'],
  ['br;q=0,gzip;q=0.000', undefined],
  ['*', 'gzip'],
  ['br, *', 'br'],
  ['deflate, *;q=0.5', 'gzip'],
  ['br;q=0.5, *', 'gzip'],
  ['gzip;q=0, *', 'br'],
  ['gzip;q=0.1, *;q=0.5', 'br'],
  ['identity, *;q=0.5', undefined],
  ['*;q=0', undefined],
  ['identity', undefined],
  ['identity;q=0.5, gzip;q=0.2', undefined],
  ['identity;q=0, gzip', 'gzip'],
  ['br;q=x', undefined],
  ['deflate, zstd', undefined],
])('Accept-Encoding %j gets a response in %s', (accept, coding) => {
  expect(codingFor(accept)).toBe(coding);
});

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const decoders = { br: brotliDecompressSync, gzip: gunzipSync };

/** Expects the same content in every coding, smaller if compressed, and a `Vary` header for caches. */
async function expectCompressed(path: string, load?: ReturnType<typeof fromBundles>) {
  const plain = await getRaw(path, { 'accept-encoding': 'identity' }, load);
  expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
  expect(plain.headers.vary).toBe('accept-encoding, origin');
  for (const [coding, decode] of Object.entries(decoders)) {
    const { status, headers, body } = await getRaw(path, { 'accept-encoding': coding }, load);
    expect([status, headers['content-encoding']]).toEqual([200, coding]);
    expect(headers['content-length']).toBe(String(body.length));
    for (const same of ['vary', 'content-type', 'content-security-policy', 'cache-control'])
      expect(headers[same], same).toBe(plain.headers[same]);
    expect(digest(decode(body))).toBe(digest(plain.body));
    if (plain.body.length > 1_000) expect(body.length).toBeLessThan(plain.body.length / 1.8);
  }
  // Files that only browsers load are compressed even if the header is missing, but not if it is empty.
  const expected = path.endsWith('.js') ? 'gzip' : undefined;
  const unasked = await getRaw(path, {}, load);
  expect(unasked.headers['content-encoding']).toBe(expected);
  expect(unasked.headers.vary).toBe(plain.headers.vary);
  expect(digest(expected ? gunzipSync(unasked.body) : unasked.body)).toBe(digest(plain.body));
  const empty = await getRaw(path, { 'accept-encoding': '' }, load);
  expect(empty.headers['content-encoding']).toBeUndefined();
}

test.each(paths)('%s is compressed from source', async (path) => {
  await expectCompressed(path);
});

describe('in its deployed bundle', async () => {
  const folder = newFolder();
  await Promise.all(Object.values(docs).map(({ name }) => buildFunction(name, join(folder, name))));
  test.each(paths)('%s is compressed', (path) => expectCompressed(path, fromBundles(folder)));
});

test('a failure is not compressed', async () => {
  const { status, headers } = await getRaw('/docs/none', { 'accept-encoding': 'br' });
  expect([status, headers['content-encoding']]).toEqual([400, undefined]);
});
