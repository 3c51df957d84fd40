import { expect, test } from 'vitest';
import { isShortDelay, nextAttempt, retryDelays } from '#shared/webhooks/retry-schedule.ts';

const at = Date.parse('2026-11-21T08:00:00.000Z');

test('there are eight attempts: the second after exactly 5 s, the last after 27 and a half hours', () => {
  expect(retryDelays).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]);
  expect(nextAttempt(1, at, 'x')).toBe(at + 5_000);
  expect(nextAttempt(8, at, 'x')).toBeUndefined();
});

test('later attempts are up to a twentieth late, at a time of their own for each delivery', () => {
  for (let attempt = 2; attempt <= 7; attempt += 1) {
    const wait = (retryDelays[attempt - 1] ?? 0) * 1_000;
    const due = Array.from({ length: 200 }, (_, i) => nextAttempt(attempt, at, `${i}`) ?? 0);
    expect(Math.min(...due)).toBeGreaterThanOrEqual(at + wait);
    expect(Math.max(...due)).toBeLessThanOrEqual(at + wait * 1.05);
    expect(new Set(due).size).toBeGreaterThan(100);
  }
});

test('while the webhook fails, the second attempt is after 5 min too, the others as usual', () => {
  const [second, third] = [nextAttempt(1, at, 'x', true), nextAttempt(2, at, 'x', true)];
  expect(second).toBeGreaterThanOrEqual(at + 300_000);
  expect(second).toBeLessThanOrEqual(at + 315_000);
  expect(third).toBe(nextAttempt(2, at, 'x'));
  expect(nextAttempt(8, at, 'x', true)).toBeUndefined();
});

test('the time is the same each time it is computed', () => {
  expect(nextAttempt(4, at, 'one')).toBe(nextAttempt(4, at, 'one'));
});

test.each([
  [-1, true],
  [0, true],
  [5_000, true],
  [10_000, true],
  [10_001, false],
  [300_000, false],
])('an attempt due in %i ms is awaited in the invocation: %s', (left, expected) => {
  expect(isShortDelay(at + left, at)).toBe(expected);
});
