import { expect, test } from 'vitest';
import { get } from './serve.ts';

test('200 a page that links only to paths of this service that exist', async () => {
  const response = await get('/docs');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  // An outdated page would name scripts that no longer exist.
  expect(response.headers.get('cache-control')).toBe('no-cache');
  const html = await response.text();
  const addresses = [...html.matchAll(/(?:src|href)="(?!data:)([^"]*)"/g)].map(([, url]) => url);
  expect(addresses).toHaveLength(4);
  for (const url of addresses) {
    expect(url).not.toMatch(/^[a-z]+:|^\//);
    expect((await get(`/${url}`)).status, url).toBe(200);
  }
});

test('the page can run only scripts of this service', async () => {
  const response = await get('/docs');
  const policy = response.headers.get('content-security-policy')?.split('; ');
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'"]));
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy?.join()).not.toMatch(/unsafe-eval|https?:|\*/);
  expect(await response.text()).not.toMatch(/<script>|\son[a-z]+=/);
});
