import { defineConfig } from 'vitest/config';

/** Runs only the fault runs of `npm run faults`, none of the lanes of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/faults/nightly.ts'],
    globalSetup: ['test/support/engine.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
