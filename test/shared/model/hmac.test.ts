import { createHmac, createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { derive, deriveText, derivingKey } from '#shared/model/hmac.ts';

test('a key needs at least 32 characters', () => {
  expect(derivingKey('k'.repeat(31))).toBeUndefined();
  expect(derivingKey('k'.repeat(32))?.export()).toEqual(Buffer.from('k'.repeat(32)));
  expect(derivingKey('k'.repeat(64))?.export()).toEqual(Buffer.from('k'.repeat(64)));
});

test('a derived value is the HMAC-SHA-256 of its name', () => {
  const key = createSecretKey('k'.repeat(32), 'utf8');
  const expected = createHmac('sha256', key).update('token 1');
  const bytes = expected.digest();
  expect(derive('token 1', key)).toEqual(bytes);
  expect(deriveText('token 1', key)).toBe(bytes.toString('base64url'));
});
