import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { captchaFile, hostedPages, shellFile } from '../../../lib/hosted-pages.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { files } = await hostedPages();
const names = [...files.keys()].filter((file) => file !== shellFile && file !== captchaFile);
const get = (file: string) =>
  world.call({
    method: 'GET',
    path: `/pages/assets/${file}`,
    headers: { 'accept-encoding': 'identity' },
  });

test.each(names)('200 %s with its own media type, cached for a year', async (file) => {
  const { status, headers, body } = await get(file);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe(
    `text/${file.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
  );
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  // Compared as a boolean: a diff would fill the screen.
  expect(body === files.get(file)).toBe(true);
});

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
  [undefined, gunzipSync],
])('200 compressed for a client that accepts %s; gzip by default', async (accepted, decompress) => {
  const [file = ''] = names;
  const request = httpGet(`${world.url}/pages/assets/${file}`, {
    headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
  });
  const coding = accepted ?? 'gzip';
  // `fetch` would decompress it.
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.headers).toMatchObject({
    'content-encoding': coding,
    vary: /accept-encoding/i,
  });
  expect(decompress(await buffer(response)).toString()).toBe(files.get(file));
});

describe('404 for a well-formed but unknown name', () => {
  const old = names[0]?.replace(/\.\w{8}\./, '.AAAAAAAA.') ?? '';
  test.each([old, 'unknown.ABCDEFGH.js'])('%s, without caching', async (file) => {
    const { status, headers, body } = await get(file);
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'not_found' });
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

test.each([
  'page.html',
  'captcha.html',
  'index.mjs',
  'main.js',
  '..%2Findex.ABCDEFGH.js',
  '%2e%2e%2fpackage.json',
  'main.ABCDEFGH.js.br',
])('400 for a malformed name: %s', async (file) => {
  expect((await get(file)).body).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '/path/file' }],
  });
});
