/**
 * Runs every endpoint with every fault of every DynamoDB call that it makes, and reports the problems.
 *
 *     npm run faults                        each fault separately
 *     npm run faults -- --kinds             a fault of each kind, as npm test does
 *     npm run faults -- --pairs             every pair of faults
 *     npm run faults -- --cold              the reads of a cold instance
 *     npm run faults -- --only='^users'     the cases whose name matches
 *     npm run faults -- --share=0.05        this fraction of the runs, chosen by the seed
 *     npm run faults -- --seed=7            another choice
 */
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';
import { numberOf } from '../support/number.ts';

export type Wanted = {
  mode: 'single' | 'kinds' | 'pairs';
  cold: boolean;
  only: string;
  share: number;
  seed: number;
};

declare module 'vitest' {
  export interface ProvidedContext {
    wanted: Wanted;
  }
}

const { values } = parseArgs({
  options: {
    kinds: { type: 'boolean', default: false },
    pairs: { type: 'boolean', default: false },
    cold: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
  },
});
const { kinds, pairs, cold, only } = values;
const mode = pairs ? 'pairs' : kinds ? 'kinds' : 'single';
const [share, seed] = [numberOf(values.share), numberOf(values.seed)];
const wanted: Wanted = { mode, cold, only, share, seed };
const vitest = await startVitest('test', [], {
  config: 'test/faults/vitest.config.ts',
  watch: false,
  reporters: ['default'],
  provide: { wanted },
});
await vitest.close();
