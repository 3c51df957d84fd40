/** @module-tag proof */
import fc from 'fast-check';
import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { qrCode } from '../../client/qr-code.ts';

/** Eight drawings of a text by another library, one per mask: which is easiest to scan is a matter of judgement. */
const drawn = (text: string) =>
  Array.from({ length: 8 }, (_, maskPattern) =>
    encode(text, { ecc: 'M', border: 0, maskPattern }).data.map((row) => row.map(Number).join('')),
  );

const draw = (text: string) => qrCode(text).map((row) => row.map(Number).join(''));

test('codes of every version are drawn as by another library', { timeout: 60_000 }, () => {
  const sizes = new Set<number>();
  for (let length = 1; length <= 2_331; length += length < 60 ? 7 : 55) {
    const text = `otpauth://totp/${'ä€x%20'.repeat(length)}`.slice(0, length);
    const cut = Buffer.byteLength(text) > 2_331 ? text.slice(0, 700) : text;
    const ours = draw(cut);
    sizes.add(ours.length);
    expect(drawn(cut)).toContainEqual(ours);
  }
  expect(sizes.size).toBeGreaterThan(25);
});

test('text in any script is drawn as by another library', () => {
  const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(texts, (text) => {
      expect(drawn(`otpauth://${text}`)).toContainEqual(draw(`otpauth://${text}`));
    }),
    { numRuns: 30 },
  );
});

test('refuses text that is too long', () => {
  expect(draw('x'.repeat(2_331))).toHaveLength(177);
  expect(() => qrCode('x'.repeat(2_332))).toThrow(RangeError);
});
