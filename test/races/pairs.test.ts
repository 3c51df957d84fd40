/** @module-tag alone */
import { afterAll, expect, inject, test } from 'vitest';
import { followLanes } from '../faults/lanes.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { runPairs } from './pairs.ts';

const stage = await startFaultyWorld();
afterAll(followLanes());
/** Other pairs with `npm run pairs`. */
const { seed, pairs } = inject('pairs') ?? { seed: 1, pairs: 60 };

test('every endpoint that writes gives a documented response, and leaves the table right, while another request ends what it relies on', async () => {
  const { wrong, met } = await runPairs(stage, seed, pairs);
  expect(wrong).toEqual([]);
  // Some outcomes make fewer calls than their budgets, for another caller.
  expect(met).toBeGreaterThan(pairs * 0.8);
});
