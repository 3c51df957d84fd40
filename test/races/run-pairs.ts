/**
 * Runs random pairs of requests, the second just before a call of the first to the table, and reports what was wrong.
 *
 *     npm run pairs                            500 pairs
 *     npm run pairs -- --seed 7 --pairs 5000   others, in runs of 500, each on a new table
 */
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';
import { numberOf } from '../support/number.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    pairs?: { seed: number; pairs: number };
  }
}

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, pairs: { type: 'string', default: '500' } },
});
const [seed, pairs] = [numberOf(values.seed), numberOf(values.pairs)];
for (let done = 0; done < pairs; done += 500) {
  const run = { seed: seed + done / 500, pairs: Math.min(500, pairs - done) };
  const vitest = await startVitest('test', ['test/races/pairs.test.ts'], {
    watch: false,
    testTimeout: 86_400_000,
    provide: { pairs: run },
  });
  await vitest.close();
}
