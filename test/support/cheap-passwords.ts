import { vi } from 'vitest';

// Hashing a password takes a sixth of a second by design, and the tests hash thousands. The real cost is tested in
// test/shared/identity/password-hash.test.ts and in bundles.
vi.mock('../../shared/identity/passwords/password-cost.ts', () => ({
  passwordCost: { memory: 8, passes: 1, parallelism: 1 },
}));
