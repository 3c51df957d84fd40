import { defineConfig } from 'vitest/config';

/** The tests that each mutant is held to: those of the units themselves, which are quick. */
export default defineConfig({
  test: {
    include: ['test/shared/policy.test.ts', 'test/shared/auth/*.test.ts'],
    globalSetup: ['test/support/engine.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
