import { writeSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends the output of a test run with the line `N passed, N failed`. Every reason for a failing run counts: a file that
 * does not load, an error outside all tests, an engine that does not start.
 */
export class ClosingLine implements Reporter {
  private passed = 0;
  private failed = 0;

  onInit(): void {
    // After all other reporters and the teardown, which may also write.
    process.once('exit', (code) => {
      const failed = code !== 0 && this.failed === 0 ? 1 : this.failed;
      writeSync(process.stdout.fd, `${this.passed} passed, ${failed} failed\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: 'passed' | 'failed') =>
      tests.filter((test) => test.result().state === state).length;
    const broken = modules.filter((module) => module.errors().length > 0);
    this.passed = count('passed');
    this.failed = count('failed') + broken.length + unhandledErrors.length;
  }
}
