import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleTogether } from './bundles.ts';
import type { Planted } from './plant.ts';
import { type Plan, runSegment } from './segment.ts';

/** A bug that is planted into the sources: one guard of the service taken away, which a proof must miss. */
export type Tooth = Planted & {
  name: string;
  /** The rules of the checker by which it is found; with `tests`, the titles of tests that fail. */
  caughtBy: readonly string[];
  /** The file of the tests that find it, where a soak does not ask for what it takes away. */
  tests?: string;
};

/** What became of a planted bug. */
export type Bite = { ops: number; rules: string[]; caught: boolean };

/** How many requests one service gets, before the table is looked at and the next begins. */
const segment = 2_500;
const lookEvery = 250;

/** Whether a bug is found by what it says finds it. */
export const bite = (tooth: Tooth, plan: Omit<Plan, 'bundles'>): Promise<Bite> =>
  tooth.tests === undefined ? soakWith(tooth, plan) : testWith(tooth);

/** Runs the service with a bug in it, until the checker finds it by a rule that it breaks, or for so many requests. */
async function soakWith(tooth: Tooth, plan: Omit<Plan, 'bundles'>): Promise<Bite> {
  const bundles = await mkdtemp(join(tmpdir(), 'soak-tooth-'));
  try {
    await bundleTogether(bundles, [tooth]);
    const seen = new Set<string>();
    let done = 0;
    for (let i = 0; done < plan.ops; i += 1) {
      const ops = Math.min(segment, plan.ops - done);
      const part = { ...plan, bundles, ops, seed: plan.seed + i, lookEvery };
      const { history, violations } = await runSegment(part);
      done += history.entries.length;
      for (const { rule } of violations) seen.add(rule);
      if (tooth.caughtBy.some((rule) => seen.has(rule)))
        return { ops: done, rules: [...seen], caught: true };
    }
    return { ops: done, rules: [...seen], caught: false };
  } finally {
    await rm(bundles, { recursive: true, force: true });
  }
}

type Report = {
  testResults: { assertionResults: { title: string; status: string }[] }[];
};

/**
 * Runs the tests of a file with a bug in what they import. Those before which their file fails have not passed either.
 */
async function testWith(tooth: Tooth): Promise<Bite> {
  const folder = await mkdtemp(join(tmpdir(), 'planted-'));
  try {
    const report = join(folder, 'report.json');
    const config = join(import.meta.dirname, '../mutation/vitest.config.ts');
    const output = ['--reporter=json', `--outputFile=${report}`];
    const child = spawn('npx', ['vitest', 'run', `--config=${config}`, ...output], {
      stdio: 'ignore',
      env: { ...process.env, MUTATION_TESTS: tooth.tests, PLANTED: JSON.stringify(tooth) },
    });
    await once(child, 'exit');
    const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report;
    const all = testResults.flatMap(({ assertionResults }) => assertionResults);
    const failed = all.filter(({ status }) => status !== 'passed').map(({ title }) => title);
    const caught = tooth.caughtBy.every((title) => failed.includes(title));
    return { ops: all.length, rules: [...new Set(failed)], caught };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
