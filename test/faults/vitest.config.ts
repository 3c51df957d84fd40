import { defineConfig } from 'vitest/config';

/** Runs what `npm run faults` asks for, and none of the lanes of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/faults/nightly.ts'],
    globalSetup: ['test/support/engine.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
