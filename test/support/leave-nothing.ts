import { afterAll, vi } from 'vitest';

// Files that share a worker share its process: what one of them has stubbed is as it was before the next begins.
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
