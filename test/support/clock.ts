import { onTestFinished, vi } from 'vitest';

/**
 * Stops the clock of the service, which runs in this process, at the next full half hour, until the test ends: there
 * every window begins in which something is counted, so none ends while the test counts.
 */
export function stopAtWindowStart(): void {
  const window = 1_800_000;
  const now = Math.ceil(Date.now() / window) * window;
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
}
