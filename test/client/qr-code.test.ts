import { expect, test } from 'vitest';
import { qrCode } from '../../client/qr-code.ts';

test('has a place for 2,331 bytes: error correction M, without a margin', () => {
  expect(qrCode('x'.repeat(2_331))).toHaveLength(177);
  expect(() => qrCode('x'.repeat(2_332))).toThrow(RangeError);
  expect(qrCode('otpauth://totp/a')).not.toEqual(qrCode('otpauth://totp/b'));
});
