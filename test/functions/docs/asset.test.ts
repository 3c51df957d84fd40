import { expect, test } from 'vitest';
import { docsAssets } from '#shared/contract/docs.ts';
import { get } from './serve.ts';

const types: Record<string, string> = { css: 'css', js: 'javascript', errors: 'html' };

test.each(docsAssets)('200: %s under its own media type', async (file) => {
  const response = await get(`/docs/${file}`);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': `text/${types[file.split('.').at(-1) ?? '']}; charset=utf-8`,
    'cache-control': 'public, max-age=86400',
  });
  expect((await response.text()).length).toBeGreaterThan(100);
});

test.each(['package.json', '..%2Fasset.ts', 'asset.ts', '%2e%2e%2fpackage.json'])(
  '400: %s is no file of the documentation',
  async (file) => {
    const response = await get(`/docs/${file}`);
    expect(await response.json()).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ pointer: '/path/file' }],
    });
  },
);
