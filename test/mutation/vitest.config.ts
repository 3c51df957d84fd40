import { join, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { type Planted, plant } from '../soak/plant.ts';

const root = resolve(import.meta.dirname, '../..');
const { MUTATION_TESTS, PLANTED } = process.env;
const planted = PLANTED === undefined ? undefined : (JSON.parse(PLANTED) as Planted);

/**
 * Runs the tests that must notice a change of the sources; `MUTATION_TESTS` names them, separated by commas. The change
 * is one of Stryker's mutants, or the bug in `PLANTED`.
 */
export default defineConfig({
  plugins: [
    {
      name: 'planted',
      enforce: 'pre',
      transform: (source, id) =>
        planted && id === join(root, planted.file) ? plant(source, planted) : undefined,
    },
  ],
  test: {
    include: MUTATION_TESTS?.split(',') ?? [],
    globalSetup: ['test/support/engine.ts'],
    setupFiles: [
      'test/support/cheap-passwords.ts',
      'test/support/leave-nothing.ts',
      'test/mutation/load-mutated.ts',
    ],
    // The cache key of a module is its file, which does not contain the bug.
    fsModuleCache: planted === undefined,
    strictTags: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
