import { afterAll, expect, inject, test } from 'vitest';
import { type Choose, exhaust, ofEachKind, pairs, single } from './exhaust.ts';
import { randomOf } from './random.ts';
import { startScene } from './scene.ts';

const wanted = inject('wanted');
const scene = await startScene();
afterAll(() => scene.close());
const random = randomOf(wanted.seed);
const all = { single, kinds: ofEachKind, pairs }[wanted.troubles];
const choose: Choose = (met, keyed) => all(met, keyed).filter(() => random() < wanted.share);

test('nothing is wrong', { timeout: 86_400_000 }, async () => {
  const cases = scene.cases.filter(({ name }) => new RegExp(wanted.only).test(name));
  const began = Date.now();
  const minutes = () => ((Date.now() - began) / 60_000).toFixed(1);
  const { runs, faults, wrong } = await exhaust(scene, cases, choose, (report, name, what) => {
    if (what !== undefined) console.log(`WRONG ${name}: ${what}`);
    if (report.runs % 500 === 0) console.log(`${report.runs} runs in ${minutes()} minutes`);
  });
  const found = [...wrong.values()].flat().length;
  console.table(faults);
  console.log(
    `${cases.length} cases, ${runs} runs, ${found} wrong; share ${wanted.share}, seed ${wanted.seed}; ` +
      `${scene.calls()} calls in ${minutes()} minutes`,
  );
  expect(found).toBe(0);
});
