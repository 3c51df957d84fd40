import { defineConfig } from 'vitest/config';

/** Runs the tests that the module under mutation is held to; `run.ts` names them, separated by commas. */
export default defineConfig({
  test: {
    include: process.env['MUTATION_TESTS']?.split(',') ?? [],
    globalSetup: ['test/support/engine.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
