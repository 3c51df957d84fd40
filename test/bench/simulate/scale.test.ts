/** @module-tag proof */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { asDeployed } from '../../../bench/simulate/limits.ts';
import { grown, scaleReport } from '../../../bench/simulate/report.ts';
import { simulate } from '../../../bench/simulate/simulate.ts';

test('docs/evidence/scale.md shows the output of npm run simulate', { timeout: 120_000 }, () => {
  const url = new URL('../../../docs/evidence/scale.md', import.meta.url);
  const page = readFileSync(url, 'utf8');
  const [, shown] = /<!-- simulate -->\n([^]*)\n<!-- \/simulate -->/.exec(page) ?? [];
  expect(shown, 'run: npm run simulate -- --write').toBe(scaleReport(1));
});

test('the same seed gives the same result, and the positions of the keys change no limit', () => {
  const [first, again, other] = [1, 1, 2].map((seed) => simulate(2_000, asDeployed, seed));
  expect(again).toEqual(first);
  const above = (result: typeof first) =>
    result?.resources.filter(({ used }) => used > 1).map(({ name }) => name);
  expect(above(other)).toEqual(above(first));
});

test('the wait for a full table extends functions, up to the limit of the account', () => {
  const result = simulate(10_000);
  const usedOf = (name: string) => result.resources.find((each) => each.name === name)?.used ?? 0;
  expect(usedOf('read units of the table')).toBeGreaterThan(1);
  expect(result.queueing.all).toBe(2_500);
  expect(usedOf('functions of the account')).toBeGreaterThan(1);
  const after = simulate(10_000, grown);
  expect(after.queueing.all).toBeLessThan(100);
  expect(after.lambda.peak).toBeLessThan(1_000);
});
