import { expect, test } from 'vitest';
import { qrCode } from '../../client/qr-code.ts';

test('has a place for 2,331 bytes: error correction M, with a margin of 4', () => {
  expect(qrCode('x'.repeat(2_331))?.size).toBe(177 + 8);
  expect(qrCode('x'.repeat(2_332))).toBeUndefined();
  const { size, dark } = qrCode('otpauth://totp/a')!;
  expect(dark).not.toBe(qrCode('otpauth://totp/b')?.dark);
  const places = [...dark.matchAll(/M(\d+) (\d+)/g)].flatMap(([, ...place]) => place.map(Number));
  expect([Math.min(...places), Math.max(...places)]).toEqual([4, size - 5]);
});
