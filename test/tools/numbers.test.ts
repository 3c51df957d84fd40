/** @module-tag proof */
import { expect, test } from 'vitest';
import { run } from '../bin/run.ts';

test.each([
  ['faults/run', '--share'],
  ['fuzz/run', '--requests'],
  ['races/run-pairs', '--pairs'],
  ['soak/connection-drops', '--cuts'],
  ['soak/run', '--ops'],
])('%s refuses a %s that is no number, with which it would check nothing', async (file, flag) => {
  const { stderr, code } = await run([`test/${file}.ts`, `${flag}=many`]);
  expect(code).toBe(1);
  expect(stderr).toContain("'many' is no number.");
});
