import { afterAll, expect, inject, test } from 'vitest';
import { readBudgets } from '../support/budgets/budgets.ts';
import {
  type Choose,
  exhaust,
  ofEachKind,
  pairs,
  type Report,
  type Run,
  single,
} from './exhaustive-run.ts';
import { randomOf } from './random.ts';
import { cold, startScene } from './scene.ts';

const wanted = inject('wanted');
const scene = await startScene(wanted.cold ? { planted: cold } : {});
afterAll(() => scene.close());
const random = randomOf(wanted.seed);
const all = { single, kinds: ofEachKind, pairs }[wanted.mode];
const { 'new instance': beforehand = {} } = readBudgets();
const coldCalls = new Set(Object.values(beforehand).flatMap(({ rounds }) => rounds.flat()));
const isWanted = ({ plannedFaults }: Run) =>
  !wanted.cold || plannedFaults.some(({ at }) => coldCalls.has(at.name));
const choose: Choose = (calls, keyed, operation) =>
  all(calls, keyed, operation).filter((run) => isWanted(run) && random() < wanted.share);
// Concurrent requests share the reads of a cold instance, and so would share a fault: one case at a time.
const width = wanted.cold && { all: 1, quick: 1 };

test('every request survives its faults', { timeout: 86_400_000 }, async () => {
  const cases = scene.cases.filter(({ name }) => new RegExp(wanted.only).test(name));
  const began = Date.now();
  const minutes = () => ((Date.now() - began) / 60_000).toFixed(1);
  const onRun = (report: Report, name: string, what: string | undefined) => {
    if (what !== undefined) console.log(`WRONG ${name}: ${what}`);
    if (report.runs % 500 === 0) console.log(`${report.runs} runs in ${minutes()} minutes`);
  };
  const { runs, leftOut, faults, wrong } = await exhaust(scene, cases, choose, {
    onRun,
    leaveOutExpired: true,
    ...(width && { width }),
  });
  const found = [...wrong.values()].flat().length;
  console.table(faults);
  console.log(
    `${cases.length} cases, ${runs} runs, ${leftOut} left out, ${found} wrong; share ${wanted.share}, seed ${wanted.seed}; ` +
      `${scene.calls()} calls in ${minutes()} minutes`,
  );
  expect(found).toBe(0);
});
