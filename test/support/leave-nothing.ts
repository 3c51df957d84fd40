import { afterAll, afterEach, beforeEach, vi } from 'vitest';

// Files that share a worker share its process: what one of them has stubbed is as it was before the next begins. Vitest
// runs no hook of a file that could not be loaded, or of which no test was chosen; so the next one does it too.
function leaveNothing(): void {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
}

leaveNothing();
afterAll(leaveNothing);

// A test that sets the clock sets it for itself; a file that does so before its tests, for all of them.
let ofTheFile = false;
beforeEach(() => void (ofTheFile = vi.isFakeTimers()));
afterEach(() => {
  if (!ofTheFile) vi.useRealTimers();
});
