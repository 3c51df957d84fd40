import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { newRecoveryCodes, recoveryCodeDigest } from '#shared/factors/recovery-codes.ts';

const key = createSecretKey('k'.repeat(64), 'utf8');
const otherKey = createSecretKey('l'.repeat(64), 'utf8');

test('there are ten different codes, each with its digest', () => {
  const { recovery_codes, digests } = newRecoveryCodes('ada', key);
  expect(new Set(recovery_codes).size).toBe(10);
  for (const code of recovery_codes)
    expect(code).toMatch(/^[a-km-np-z02-9]{5}(?:-[a-km-np-z02-9]{5}){2}$/);
  expect(recovery_codes.map((code) => recoveryCodeDigest(code, 'ada', key))).toEqual(digests);
});

test('a code is accepted in upper case, without hyphens and with spaces', () => {
  const digest = recoveryCodeDigest('k7m2x-9qd4r-w5hep', 'ada', key);
  for (const same of ['K7M2X-9QD4R-W5HEP', 'k7m2x9qd4rw5hep', 'k7m2x 9qd4r w5hep'])
    expect(recoveryCodeDigest(same, 'ada', key)).toBe(digest);
});

test('the digest differs for another user or another key', () => {
  const digest = recoveryCodeDigest('k7m2x-9qd4r-w5hep', 'ada', key);
  expect(recoveryCodeDigest('k7m2x-9qd4r-w5hep', 'bob', key)).not.toBe(digest);
  expect(recoveryCodeDigest('k7m2x-9qd4r-w5hep', 'ada', otherKey)).not.toBe(digest);
});
