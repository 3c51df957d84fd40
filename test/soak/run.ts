/**
 * Lets concurrent people and back ends use the service while its database fails, and checks that it keeps what it
 * promises. Exit code 1 where it does not.
 *
 *     npm run soak                        20,000 requests
 *     npm run soak -- --ops=200000        more, in runs of 5,000, each on a table of its own
 *     npm run soak -- --seed=7            other numbers
 *     npm run soak -- --rate=0            without faults; --kills=0 without killing the engine
 *     npm run soak -- --bundles=dist      the bundles of `npm run bundle` instead of others by the same settings
 *     npm run soak -- --keep=FILE         writes the history of a violation into a file
 *     npm run soak -- --teeth             plants each of the bugs of teeth.ts, which the checker must find
 *     npm run soak -- --teeth --only=TEXT those whose name contains this
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleTogether } from './bundles.ts';
import { type Outcome, runSegment } from './segment.ts';
import { describe, summarize } from './summary.ts';

const { values: flags } = parseArgs({
  options: {
    ops: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '24' },
    rate: { type: 'string', default: '0.15' },
    kills: { type: 'string', default: '1500' },
    segment: { type: 'string', default: '5000' },
    bundles: { type: 'string' },
    keep: { type: 'string' },
    teeth: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const seed = Number(flags.seed);
const folder = await mkdtemp(join(tmpdir(), 'soak-'));
try {
  if (flags.teeth) throw new Error('to come');
  const bundles = flags.bundles ?? folder;
  if (flags.bundles === undefined) await bundleTogether(folder);
  const outcomes: Outcome[] = [];
  for (let left = Number(flags.ops), i = 0; left > 0; i += 1) {
    const ops = Math.min(left, Number(flags.segment));
    left -= ops;
    const outcome = await runSegment({
      bundles,
      seed: seed + i,
      ops,
      clients: Number(flags.clients),
      rate: Number(flags.rate),
      killEvery: Number(flags.kills),
    });
    outcomes.push(outcome);
    process.stderr.write(
      `seed ${seed + i}: ${ops} in ${outcome.seconds.toFixed(0)} s, ${outcome.violations.length} violations\n`,
    );
    if (outcome.violations.length === 0) continue;
    process.exitCode = 1;
    console.log(describe(outcome.violations, outcome.history));
    console.log(outcome.log.slice(-20).join(''));
    if (flags.keep !== undefined) await writeFile(flags.keep, JSON.stringify(outcome.history));
    break;
  }
  console.log(summarize(outcomes, seed));
} finally {
  await rm(folder, { recursive: true, force: true });
}
