import { expect, test } from 'vitest';
import { isThisMachine } from '#shared/model/env.ts';

test.each([
  ['http://localhost', true],
  ['http://127.0.0.1:3000', true],
  ['http://127.9.9.9', true],
  ['http://[::1]:1', true],
  ['https://api.example.com', false],
  ['https://127.0.0.1.example.com', false],
  ['https://localhost.example.com', false],
  ['https://a.localhost', false],
  ['https://128.0.0.1', false],
  ['https://[::2]', false],
])('%s is on this machine: %s', (url, expected) => {
  expect(isThisMachine(new URL(url).hostname)).toBe(expected);
});
