import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { engineOnly, lanes, tags, tagsFilter } from './test/support/lanes.ts';
import { ClosingLine } from './test/support/reporter.ts';
import { CheapestOrder } from './test/support/sequencer.ts';
import { useMemory } from './test/support/temporary.ts';

// A quarter of the time is compilation: the workers, and the processes that tests start, share what Node has compiled.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

// Databases of tests are in memory, if there is room.
useMemory();

/**
 * How many files run at once. A file waits for its engine, or for a time to pass: on two cores five files leave none
 * idle. A proof waits less. The second engine is a JVM for all.
 */
function workersOf(lane: string): number {
  if (engineOnly) return 2;
  return Math.max(/^(?:proof|browser)-/.test(lane) ? 3 : 5, availableParallelism() - 1);
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/engine.ts'],
    setupFiles: ['test/support/cheap-passwords.ts', 'test/support/leave-nothing.ts'],
    reporters: ['default', new ClosingLine()],
    sequence: { sequencer: CheapestOrder },
    tags,
    ...(tagsFilter.length > 0 && { tagsFilter }),
    // A busy machine is four times slower; only what hangs takes as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The default is a second, which a busy machine needs for a page.
    expect: { poll: { timeout: 20_000 } },
    projects: lanes.map(({ name, sharing, include }) => ({
      extends: true as const,
      test: {
        name,
        include,
        isolate: sharing === 'alone',
        maxWorkers: workersOf(name),
        // Lanes of as many workers run together.
        sequence: { groupOrder: workersOf(name) },
        // On a busy machine a JVM or a browser now and then stands still for longer than a call or a page may take.
        // What they decide they decide each time.
        retry: engineOnly || name.startsWith('browser-') ? 2 : 0,
        provide: { shared: sharing !== 'pure' && sharing !== 'alone' },
      },
    })),
  },
});
