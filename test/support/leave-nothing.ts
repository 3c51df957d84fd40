import { afterAll, afterEach, beforeEach, vi } from 'vitest';

// Files that share a worker share its process, so stubs are removed before the next file begins. Vitest runs no hooks
// of a file that fails to load or has no selected test, so the next file does it too.
function leaveNothing(): void {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
}

leaveNothing();
afterAll(leaveNothing);

// A clock set in a test applies to that test; one set before the tests, to the whole file.
let ofTheFile = false;
beforeEach(() => void (ofTheFile = vi.isFakeTimers()));
afterEach(() => {
  if (!ofTheFile) vi.useRealTimers();
});
