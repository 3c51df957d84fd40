import { expect, test } from 'vitest';
import { progressOn } from '../../bin/transfer/progress.ts';

/** The stderr output of a run, with a simulated clock in milliseconds. */
function stage(options: { isTTY?: boolean; before?: number } = {}) {
  const { isTTY = false, ...more } = options;
  const written: string[] = [];
  let time = 1_000_000;
  const stream = {
    isTTY,
    write: (text: string | Uint8Array) => written.push(String(text)) > 0,
  };
  const progress = progressOn(stream, 'users', { ...more, now: () => time });
  const pass = (milliseconds: number) => (time += milliseconds);
  return { progress, written, pass };
}

test('on a terminal it is a redrawn bar with percentage, rate, errors and time left', () => {
  const { progress, written, pass } = stage({ isTTY: true });
  progress.show({ done: 100, failed: 0, share: { done: 1_000, total: 41_000 } });
  pass(10_000);
  progress.show({ done: 1_000, failed: 3, share: { done: 11_000, total: 41_000 } });
  const bar = `${'█'.repeat(6)}${'░'.repeat(18)}`;
  expect(written.at(-1)).toBe(`\r\u001b[2K${bar} 26 %, 1000 users, 100/s, 3 errors, 30 s left`);
  // Not redrawn faster than the eye can see.
  pass(100);
  progress.show({ done: 1_010, failed: 3, share: { done: 11_100, total: 41_000 } });
  expect(written).toHaveLength(2);
  progress.end();
  expect(written.at(-1)).toBe('\r\u001b[2K');
});

test('without a terminal it prints a line every five seconds', () => {
  const { progress, written, pass } = stage();
  for (let second = 1; second <= 10; second += 1) {
    pass(1_000);
    progress.show({ done: 50 * second, failed: 0, share: { done: second * 10, total: 7_210 } });
  }
  progress.end();
  expect(written).toEqual([
    '0 %, 250 users, 50/s, 0 errors, 15 min left\n',
    '1 %, 500 users, 50/s, 0 errors, 14 min left\n',
  ]);
});

test('a resumed run computes the rate from its own rows; without a size there is no percentage', () => {
  const { progress, written, pass } = stage({ before: 900 });
  pass(5_000);
  progress.show({ done: 1_000, failed: 0 });
  expect(written).toEqual(['1000 users, 20/s, 0 errors\n']);
});
