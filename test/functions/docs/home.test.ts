import { expect, test } from 'vitest';
import { get } from './serve.ts';

test('302 redirects the root of the service to its documentation', async () => {
  const response = await get('/');
  expect([response.status, response.headers.get('location')]).toEqual([302, '/docs']);
  expect(await response.text()).toBe('See /docs');
  expect((await get(response.headers.get('location') ?? '')).status).toBe(200);
});
