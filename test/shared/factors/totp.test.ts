import { describe, expect, test } from 'vitest';
import { codeAt, encodeBase32, matchingStep, otpauthUri, stepAt } from '#shared/factors/totp.ts';

const secret = Buffer.from('12345678901234567890');

/** RFC 6238, appendix B: the last six of the eight digits. */
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at %i s is that of RFC 6238', (seconds, code) => {
  expect(codeAt(secret, stepAt(new Date(seconds * 1_000)))).toBe(code);
});

describe('a code', () => {
  const now = new Date(1_111_111_111_000);
  const step = stepAt(now);
  test.each([-1, 0, 1])('of %i steps from now is accepted', (by) => {
    expect(matchingStep(codeAt(secret, step + by), secret, { now })).toBe(step + by);
  });
  test.each([-2, 2, 100])('of %i steps from now is refused', (by) => {
    expect(matchingStep(codeAt(secret, step + by), secret, { now })).toBeUndefined();
  });
  test('of the last used step, or one before it, is refused', () => {
    const given = (by: number, after: number) =>
      matchingStep(codeAt(secret, step + by), secret, { now, after });
    expect(given(0, step)).toBeUndefined();
    expect(given(-1, step)).toBeUndefined();
    expect(given(1, step)).toBe(step + 1);
  });
});

/** RFC 4648, section 10, and the secret of RFC 6238 as apps show it. */
test.each([
  ['fooba', 'MZXW6YTB'],
  ['12345678901234567890', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
])('%s is encoded in base32', (text, base32) => {
  expect(encodeBase32(Buffer.from(text))).toBe(base32);
});

test('the otpauth address has issuer and account, whatever they contain', () => {
  const uri = otpauthUri('MZXW6YTB', { issuer: 'A: B & Söhne?', account: 'ada+x@example.com' });
  const { protocol, host, pathname, searchParams } = new URL(uri);
  expect([protocol, host]).toEqual(['otpauth:', 'totp']);
  expect(decodeURIComponent(pathname)).toBe('/A  B & Söhne?:ada+x@example.com');
  expect(Object.fromEntries(searchParams)).toEqual({
    secret: 'MZXW6YTB',
    issuer: 'A  B & Söhne?',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
