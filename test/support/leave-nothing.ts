import { afterAll, vi } from 'vitest';

// Files that share a worker share its process: what one of them has stubbed is as it was before the next begins. Vitest
// runs no hook of a file that could not be loaded, or of which no test was chosen; so the next one does it too.
function leaveNothing(): void {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
}

leaveNothing();
afterAll(leaveNothing);
