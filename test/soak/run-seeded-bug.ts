import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleTogether } from './bundles.ts';
import type { Planted } from './plant.ts';
import { type Plan, runSegment } from './segment.ts';

/** A bug planted into the sources: one removed guard, which a test must detect. */
export type SeededBug = Planted & {
  name: string;
  /** The rules of the checker that find it; with `tests`, the titles of tests that fail. */
  caughtBy: readonly string[];
  /** The test file that finds it, if the soak does not exercise the guard. */
  tests?: string;
};

/** The result for a planted bug. */
export type BugResult = { ops: number; rules: string[]; caught: boolean };

/** The number of requests per service, after which the table is checked and the next service starts. */
const segment = 2_500;
const lookEvery = 250;

/** Whether a bug is found as declared. */
export const runSeededBug = (bug: SeededBug, plan: Omit<Plan, 'bundles'>): Promise<BugResult> =>
  bug.tests === undefined ? soakWith(bug, plan) : testWith(bug);

/** Runs the service with a bug until the checker finds it by a declared rule, or for the given number of requests. */
async function soakWith(bug: SeededBug, plan: Omit<Plan, 'bundles'>): Promise<BugResult> {
  const bundles = await mkdtemp(join(tmpdir(), 'soak-bug-'));
  try {
    await bundleTogether(bundles, [bug]);
    const seen = new Set<string>();
    let done = 0;
    for (let i = 0; done < plan.ops; i += 1) {
      const ops = Math.min(segment, plan.ops - done);
      const part = { ...plan, bundles, ops, seed: plan.seed + i, lookEvery };
      const { history, violations } = await runSegment(part);
      done += history.entries.length;
      for (const { rule } of violations) seen.add(rule);
      if (bug.caughtBy.some((rule) => seen.has(rule)))
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

/** Runs a test file with a bug in the sources. Tests that do not run because their file fails count as failed. */
async function testWith(bug: SeededBug): Promise<BugResult> {
  const folder = await mkdtemp(join(tmpdir(), 'planted-'));
  try {
    const report = join(folder, 'report.json');
    const config = join(import.meta.dirname, '../mutation/vitest.config.ts');
    const output = ['--reporter=json', `--outputFile=${report}`];
    const child = spawn('npx', ['vitest', 'run', `--config=${config}`, ...output], {
      stdio: 'ignore',
      env: { ...process.env, MUTATION_TESTS: bug.tests, PLANTED: JSON.stringify(bug) },
    });
    await once(child, 'exit');
    const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report;
    const all = testResults.flatMap(({ assertionResults }) => assertionResults);
    const failed = all.filter(({ status }) => status !== 'passed').map(({ title }) => title);
    const caught = bug.caughtBy.every((title) => failed.includes(title));
    return { ops: all.length, rules: [...new Set(failed)], caught };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
