import { describe, expect, test } from 'vitest';
import { idempotencyKeyHint, readIdempotencyKey } from '#shared/http/idempotency-key.ts';
import { limits } from '#shared/model/limits.ts';

const { min, max } = limits.idempotencyKey;

describe('a key is read', () => {
  test.each([
    ['x'.repeat(min), 'x'.repeat(min)],
    ['x'.repeat(max), 'x'.repeat(max)],
    [`"${'x'.repeat(min)}"`, 'x'.repeat(min)],
    ['aZ09_.~:+/=-aZ09_.~:+/=-', 'aZ09_.~:+/=-aZ09_.~:+/=-'],
    ['"aZ09_.~:+/=-aZ09_.~:+/=-"', 'aZ09_.~:+/=-aZ09_.~:+/=-'],
    ['x'.repeat(min - 1), undefined],
    ['x'.repeat(max + 1), undefined],
    [`"${'x'.repeat(min - 1)}"`, undefined],
    [`"${'x'.repeat(max + 1)}"`, undefined],
    [`"${'x'.repeat(min)}`, undefined],
    [`${'x'.repeat(min)}"`, undefined],
    [` "${'x'.repeat(min)}"`, undefined],
    [`"${'x'.repeat(min)}" `, undefined],
    [` ${'x'.repeat(min)}`, undefined],
    [`${'x'.repeat(min)} `, undefined],
    [`${'x'.repeat(min)},`, undefined],
    ['', undefined],
  ])('%j as %j', (header, read) => {
    expect(readIdempotencyKey(header)).toBe(read);
  });

  test('with a hint that names the allowed characters and length', () => {
    expect(idempotencyKeyHint).toBe(
      `Must be ${min} to ${max} letters, digits or ._~:+/=-, such as a UUID`,
    );
  });
});
