import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleTogether } from './bundles.ts';
import type { Tooth } from './seeded-bugs.ts';
import { type Plan, runSegment } from './segment.ts';

/** What became of a planted bug. */
export type Bite = { tooth: Tooth; ops: number; rules: string[]; caught: boolean };

/** How many requests one service gets, before the table is looked at and the next begins. */
const segment = 2_500;
const lookEvery = 250;

/** Runs the service with a bug in it, until the checker finds it by a rule that it breaks, or for so many requests. */
export async function bite(tooth: Tooth, plan: Omit<Plan, 'bundles'>): Promise<Bite> {
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
        return { tooth, ops: done, rules: [...seen], caught: true };
    }
    return { tooth, ops: done, rules: [...seen], caught: false };
  } finally {
    await rm(bundles, { recursive: true, force: true });
  }
}
