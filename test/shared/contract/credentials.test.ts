import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { mailToken, newPassword, password } from '#shared/contract/credentials.ts';

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

describe('a password', () => {
  test.each<[string, string, boolean, boolean]>([
    ['no characters', '', false, false],
    ['one character', 'x', true, false],
    ['7 characters', 'x'.repeat(7), true, false],
    ['8 characters', 'x'.repeat(8), true, true],
    ['7 characters of two code units each', '😀'.repeat(7), true, false],
    ['8 characters of two code units each', '😀'.repeat(8), true, true],
    ['blanks, line breaks and control characters', ' \t\n\u0007 \u202e \u0001', true, true],
    ['256 characters', 'x'.repeat(256), true, true],
    ['257 characters', 'x'.repeat(257), false, false],
    ['256 characters of two code units each', '😀'.repeat(256), true, true],
    ['15 characters that NFKC makes 270', '\ufdfa'.repeat(15), false, false],
    ['8 characters that NFKC makes 4', 'e\u0301'.repeat(4), true, false],
    ['more than any 256 characters can be', 'x'.repeat(1_025), false, false],
  ])('of %s', (_, value, toCheck, toSet) => {
    expect([accepts(password, value), accepts(newPassword, value)]).toEqual([toCheck, toSet]);
  });

  test.each([
    ['composed and decomposed letters', 'Zo\u00eb and Zoe\u0308', 'Zo\u00eb and Zo\u00eb'],
    ['full-width letters', '\uff50assword 1234', 'password 1234'],
    ['a ligature', 'o\ufb03ce 123', 'office 123'],
    ['case and surrounding blanks stay', '  Correct Horse  ', '  Correct Horse  '],
  ])('is normalised however it is typed: %s', (_, typed, kept) => {
    expect([password.parse(typed), newPassword.parse(typed)]).toEqual([kept, kept]);
  });
});

describe('the token of a mail', () => {
  test.each([
    ['43 characters of base64url', 'aZ0-_'.padEnd(43, 'x'), true],
    ['one less', 'x'.repeat(42), false],
    ['one more', 'x'.repeat(44), false],
    ['padding', `${'x'.repeat(42)}=`, false],
    ['base64', `${'x'.repeat(42)}+`, false],
    ['a line break at its end', `${'x'.repeat(43)}\n`, false],
    ['an empty text', '', false],
  ])('%s: %s', (_, value, good) => {
    expect(accepts(mailToken, value)).toBe(good);
  });
});
