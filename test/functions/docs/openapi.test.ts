import { expect, test } from 'vitest';
import { openapi } from '#shared/contract/openapi/document.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { get } from './serve.ts';

test('200 the OpenAPI document, with a cache lifetime', async () => {
  const response = await get('/openapi.json');
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
  });
  expect(await response.json()).toEqual(openapi(manifest.version));
});
