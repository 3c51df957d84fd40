import type { LookupAddress } from 'node:dns';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { runInRequest } from '#shared/db/request-context.ts';
import { safeFetch } from '#shared/outbound/fetch.ts';
import { serve } from '../../support/serve.ts';

const before = process.env['BASE_URL'];
const asLocal = () => vi.stubEnv('BASE_URL', 'http://127.0.0.1:1');
const asDeployed = () => vi.stubEnv('BASE_URL', 'https://id.example.com');
afterEach(() => vi.stubEnv('BASE_URL', before));

const call = (url: string, init: Parameters<typeof safeFetch>[1] = {}, budget = 2_000) =>
  runInRequest('test', budget, () => safeFetch(url, init));

describe('a call of a local service', () => {
  test('sends method, headers and body, and returns status, headers and body', async () => {
    asLocal();
    const at = await serve((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const { method, headers } = request;
        response.writeHead(201, { 'content-type': 'application/json', 'x-a': 'b' });
        response.end(JSON.stringify([method, headers['x-q'], headers['connection'], text]));
      });
    });
    const form = new URLSearchParams({ a: 'ü b' });
    const answer = await call(at, { method: 'POST', headers: { 'x-q': 'r' }, body: form });
    expect([answer.status, answer.headers.get('x-a')]).toEqual([201, 'b']);
    expect(await answer.json()).toEqual(['POST', 'r', 'close', 'a=%C3%BC+b']);
  });

  test.each([204, 304])('returns %d without a body', async (status) => {
    asLocal();
    const at = await serve((_, response) => response.writeHead(status).end());
    const answer = await call(at);
    expect([answer.status, await answer.text()]).toEqual([status, '']);
  });

  test('follows no redirect', async () => {
    asLocal();
    let followed = 0;
    const elsewhere = await serve((_, response) => response.end(String((followed += 1))));
    const at = await serve((_, response) => response.writeHead(302, { location: elsewhere }).end());
    expect((await call(at)).status).toBe(302);
    expect(followed).toBe(0);
  });

  test('reads 256 KB, and rejects one byte more', async () => {
    asLocal();
    const at = await serve(({ url = '' }, response) =>
      response.end('x'.repeat(Number(url.slice(1)))),
    );
    expect((await (await call(`${at}/${256 * 1024}`)).text()).length).toBe(256 * 1024);
    await expect(call(`${at}/${256 * 1024 + 1}`)).rejects.toThrow('too large');
  });

  test('rejects a response that breaks off', async () => {
    asLocal();
    const at = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('x');
      setTimeout(() => response.destroy(), 20);
    });
    await expect(call(at)).rejects.toThrow(/aborted|incomplete|hang up/);
  });

  test.each(['never answers', 'never ends'])(
    'ends with its request if the other side %s',
    async (how) => {
      asLocal();
      const at = await serve((_, response) => {
        if (how === 'never ends') response.writeHead(200).write('x');
      });
      const begun = Date.now();
      await expect(call(at, {}, 100)).rejects.toThrow(/aborted|timeout/i);
      expect(Date.now() - begun).toBeLessThan(2_000);
    },
  );
});

describe('a call of a deployed service', () => {
  test.each([
    'http://127.0.0.1:8080/',
    'http://example.com/',
    'https://169.254.169.254/latest/meta-data/',
    'https://localhost/',
  ])('is not made to %s', async (url) => {
    asDeployed();
    await expect(call(url)).rejects.toThrow(expect.objectContaining({ name: 'AddressForbidden' }));
  });

  test.each(['10.0.0.1', 'fd00::1'])(
    'is not made to a name that resolves to %s, even beside a public address',
    async (address) => {
      asDeployed();
      const found = ['8.8.8.8', address].map(
        (each): LookupAddress => ({ address: each, family: each.includes(':') ? 6 : 4 }),
      );
      const called = runInRequest('test', 2_000, () =>
        safeFetch('https://provider.example.com/', {}, (_, __, done) => done(null, found)),
      );
      await expect(called).rejects.toThrow(expect.objectContaining({ name: 'AddressForbidden' }));
    },
  );
});
