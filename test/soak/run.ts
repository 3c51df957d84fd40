/**
 * Runs concurrent users and backends against the service while its database fails, and checks its guarantees. Exits
 * with 1 on a violation.
 *
 *     npm run soak                        20,000 requests, in runs of 5,000, each on a new table
 *     npm run soak -- --ops=200000        more
 *     npm run soak -- --seed=7            other numbers
 *     npm run soak -- --rate=0            without faults; --kills=0 without killing the engine
 *     npm run soak -- --bundles=dist      the bundles of `npm run bundle` instead of new ones with the same settings
 *     npm run soak -- --keep=FILE         file for the history of a violation; by default a temporary one
 *     npm run soak -- --teeth             plants each bug of seeded-bugs.ts, which the checker must find, or the
 *                                         tests that the bug names
 *     npm run soak -- --teeth --only=TEXT those whose name contains this
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { numberOf } from '../support/number.ts';
import { bundleTogether } from './bundles.ts';
import { runSeededBug } from './run-seeded-bug.ts';
import { seededBugs } from './seeded-bugs.ts';
import { type Outcome, type Plan, runSegment } from './segment.ts';
import { describe, summarize } from './summary.ts';

const { values: flags } = parseArgs({
  options: {
    ops: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '24' },
    rate: { type: 'string', default: '0.15' },
    kills: { type: 'string', default: '1000' },
    segment: { type: 'string', default: '5000' },
    bundles: { type: 'string' },
    keep: { type: 'string' },
    teeth: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const seed = numberOf(flags.seed);
const segment = numberOf(flags.segment);
const plan: Omit<Plan, 'bundles'> = {
  seed,
  ops: numberOf(flags.ops),
  clients: numberOf(flags.clients),
  rate: numberOf(flags.rate),
  killEvery: numberOf(flags.kills),
};
await (flags.teeth ? showTeeth() : soak());

async function soak(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'soak-'));
  try {
    const bundles = flags.bundles ?? folder;
    if (flags.bundles === undefined) await bundleTogether(folder);
    const outcomes: Outcome[] = [];
    for (let left = plan.ops, i = 0; left > 0; i += 1) {
      const ops = Math.min(left, segment);
      left -= ops;
      const outcome = await runSegment({ ...plan, bundles, seed: seed + i, ops });
      outcomes.push(outcome);
      process.stderr.write(
        `seed ${seed + i}: ${ops} in ${outcome.seconds.toFixed(0)} s, ${outcome.violations.length} violations\n`,
      );
      if (outcome.violations.length === 0) continue;
      process.exitCode = 1;
      console.log(describe(outcome.violations, outcome.history));
      // A seed does not reproduce a run, because timing differs: keep the history.
      const historyFile = flags.keep ?? join(tmpdir(), `soak-${seed + i}-${process.pid}.json`);
      await writeFile(historyFile, JSON.stringify(outcome.history));
      console.log(`The history is in ${historyFile}.`);
      break;
    }
    console.log(summarize(outcomes, seed));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function showTeeth(): Promise<void> {
  const chosen = seededBugs.filter(({ name }) => name.includes(flags.only));
  let survived = 0;
  console.log('| planted bug | found by | requests or tests |\n|---|---|--:|');
  for (const bug of chosen) {
    const { ops, rules, caught } = await runSeededBug(bug, plan).catch((error: Error) => ({
      ...{ ops: 0, caught: false },
      rules: [error.message.split('\n')[0] ?? ''],
    }));
    if (!caught) survived += 1;
    const found = caught
      ? rules.join('; ')
      : `nothing${rules.length > 0 ? ` but ${rules.join('; ')}` : ''}`;
    console.log(`| ${bug.name} | ${found} | ${ops} |`);
  }
  console.log(`\n${chosen.length - survived} of ${chosen.length} found.`);
  if (survived > 0) process.exitCode = 1;
}
