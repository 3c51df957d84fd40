import { writeSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends the output of a test run with `N passed, N failed`, alone on the last line. Whatever makes the run fail
 * counts: a file that does not load, an error outside of every test, an engine that does not start.
 */
export class ClosingLine implements Reporter {
  private passed = 0;
  private failed = 0;

  onInit(): void {
    // Later than every other reporter and than the teardown, both of which may write.
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
