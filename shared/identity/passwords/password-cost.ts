/**
 * OWASP's minimum for argon2id (RFC 9106): 19 MiB, 2 passes, 1 lane. Hashes with another cost are renewed at sign-in.
 */
export const passwordCost = { memory: 19_456, passes: 2, parallelism: 1 };
