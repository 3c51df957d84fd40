import { expect, test } from 'vitest';
import { equalInConstantTime } from '#shared/model/constant-time.ts';

test.each([
  ['digest', 'digest', true],
  ['digest', 'digesT', false],
  ['digest', 'diges', false],
  ['digest', '', false],
  // Of one length as texts, and not in UTF-8.
  ['ä', 'a', false],
])('compares %j with %j', (one, other, same) => {
  expect(equalInConstantTime(one, other)).toBe(same);
});
