import { vi } from 'vitest';

// A password costs its guesser a sixth of a second by design, and the tests hash thousands. What hashes are made of is
// tested with the real cost in test/shared/identity/password-hash.test.ts; bundles have it too.
vi.mock('../../shared/identity/passwords/password-cost.ts', () => ({
  passwordCost: { memory: 8, passes: 1, parallelism: 1 },
}));
